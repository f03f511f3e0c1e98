import { useLayoutEffect } from 'react';
import { LoadingText } from '../../ui/LoadingText.tsx';
import css from './Splash.module.css';

/**
 * Says what is being loaded before the first screen, over the frame that the page came with. The frame
 * goes when the first screen is there.
 */
export function Splash({ label }: { label: string }) {
  useLayoutEffect(() => {
    // Only a page that was opened by the browser has one.
    const frame = document.querySelector<HTMLElement>('#frame');
    if (!frame) return undefined;
    frame.hidden = false;
    return () => {
      frame.hidden = true;
    };
  }, []);
  return (
    <div className={css.splash}>
      <LoadingText label={label} isFloating />
    </div>
  );
}
