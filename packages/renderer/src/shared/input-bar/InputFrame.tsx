import { useLayoutEffect, useRef, type ReactNode } from 'react';
import css from './InputBar.module.css';

/** Custom property with the height of the input bar in pixels. Toasts.css positions toasts above it. */
const HEIGHT_PROPERTY = '--input-frame-height';

/** The container of the input bar, below a chatroom's messages. */
export function InputFrame({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const { style } = document.documentElement;
    const updateHeight = (): void =>
      style.setProperty(HEIGHT_PROPERTY, `${element.offsetHeight}px`);
    updateHeight();
    const observer = new ResizeObserver(updateHeight);
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty(HEIGHT_PROPERTY);
    };
  }, []);
  return (
    <div ref={frame} className={css.frame}>
      {children}
    </div>
  );
}
