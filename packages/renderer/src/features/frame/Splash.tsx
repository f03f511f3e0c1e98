import { useLayoutEffect } from 'react';
import { LoadingText } from '../../ui/LoadingText.tsx';
import css from './Splash.module.css';

/**
 * The loading text before the first screen, over the static frame of the page. Hides the frame when it
 * unmounts.
 */
export function Splash({ label }: { label: string }) {
  useLayoutEffect(() => {
    // Missing if the page has no static frame.
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
