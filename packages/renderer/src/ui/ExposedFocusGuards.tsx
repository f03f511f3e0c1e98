import { useEffect } from 'react';

/**
 * Removes `aria-hidden` from the focus guards that Base UI puts around popups. They are focusable, and focusable
 * elements must not be hidden from assistive technology. Render it inside each popup.
 */
export function ExposedFocusGuards(): null {
  useEffect(() => {
    const expose = (): void => {
      for (const guard of document.querySelectorAll('[data-base-ui-focus-guard][aria-hidden]')) {
        guard.removeAttribute('aria-hidden');
      }
    };
    expose();
    // Some guards are added after the popup.
    const observer = new MutationObserver(expose);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  return null;
}
