import { useEffect } from 'react';

/**
 * While it is in an open pop-up, takes `aria-hidden` off the guards that Base UI puts around pop-ups. They
 * can be focused, if only to hand the focus on, and nothing that can may be hidden from assistive technology.
 */
export function ExposedFocusGuards(): null {
  useEffect(() => {
    const expose = (): void => {
      for (const guard of document.querySelectorAll('[data-base-ui-focus-guard][aria-hidden]')) {
        guard.removeAttribute('aria-hidden');
      }
    };
    expose();
    // Some come a moment after the pop-up itself.
    const observer = new MutationObserver(expose);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  return null;
}
