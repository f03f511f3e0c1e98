import { useLayoutEffect, useRef, type ReactNode } from 'react';
import css from './InputBar.module.css';

/** Custom property with the height of the input bar in pixels. Toasts.css positions toasts above it. */
const HEIGHT = '--input-frame-height';

/** The container of the input bar, below a chatroom's messages. */
export function InputFrame({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const { style } = document.documentElement;
    const show = (): void => style.setProperty(HEIGHT, `${element.offsetHeight}px`);
    show();
    const observer = new ResizeObserver(show);
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty(HEIGHT);
    };
  }, []);
  return (
    <div ref={frame} className={css.frame}>
      {children}
    </div>
  );
}
