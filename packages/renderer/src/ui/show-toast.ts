import { createElement } from 'react';
import type { TypeOptions } from 'react-toastify/unstyled';

/** Duration of toasts in milliseconds. Hovering or focusing a toast pauses it. */
const INFO_DURATION = 4_000;
const ERROR_DURATION = 8_000;
/** A button must be reached in time. */
const ACTION_DURATION = 8_000;

/** Where a toast appears. */
type ToastPosition = 'top-right' | 'bottom-center';

/** Options of a toast. */
export interface ToastOptions {
  /** `bottom-center` is for toasts about the input bar, above which they appear. */
  position?: 'bottom-center';
  /** Whether it announces the result of an upcoming navigation, which must not dismiss it. */
  announcesNavigation?: boolean;
  onClick?: () => void;
  /** A button, which also dismisses the toast. */
  action?: { label: string; onSelect: () => void };
}

/** Shows that something worked. The same text is shown once at a time. */
export function toastSuccess(text: string, options?: ToastOptions): void {
  void show(text, 'success', INFO_DURATION, options);
}

/** Shows that something failed. The same text is shown once at a time. */
export function toastError(text: string, options?: ToastOptions): void {
  void show(text, 'error', ERROR_DURATION, options);
}

/** Shows neutral information. The same text is shown once at a time. */
export function toastInfo(text: string, options?: ToastOptions): void {
  void show(text, 'info', INFO_DURATION, options);
}

/** The texts of open toasts, and whether they survive the next navigation. */
const announcing = new Map<string, boolean>();
let shown = 0;
let defaultPosition: ToastPosition = 'top-right';

/** Sets where toasts without a position of their own appear from now on, also those that are shown again. */
export function setDefaultPosition(position: ToastPosition): void {
  defaultPosition = position;
}

/**
 * Dismisses the toasts of the previous screen. A toast that announces the navigation survives it and the
 * following redirects, but not the user's next navigation.
 */
export async function dismissToastsOnNavigation(isRedirect: boolean): Promise<void> {
  const dismissed: string[] = [];
  for (const [text, isAnnouncing] of announcing) {
    if (!isAnnouncing) {
      dismissed.push(text);
      announcing.delete(text);
    } else if (!isRedirect) announcing.set(text, false);
  }
  if (dismissed.length === 0) return;
  const library = await importLibrary();
  for (const text of dismissed) library?.toast.dismiss(text);
}

// The library is loaded after the first screen. It queues toasts until its container is mounted. If it cannot
// be loaded, there are no toasts, so important information must also be shown on the screen.
async function show(
  text: string,
  type: TypeOptions,
  autoClose: number,
  { announcesNavigation = false, action, ...rest }: ToastOptions = {},
): Promise<void> {
  announcing.set(text, announcesNavigation);
  const library = await importLibrary();
  // A navigation may have dismissed it in the meantime.
  if (!library || !announcing.has(text)) return;
  const { toast } = library;
  shown += 1;
  // A new element for the same text, so that it is announced again and its duration restarts.
  const button =
    action &&
    createElement(
      'button',
      {
        type: 'button',
        className: 'toast-action',
        onClick: () => {
          action.onSelect();
          toast.dismiss(text);
        },
      },
      action.label,
    );
  const content = createElement('span', { key: shown }, text, button);
  // The library moves an open toast only if it gets a position.
  const duration = action ? Math.max(autoClose, ACTION_DURATION) : autoClose;
  const options = { type, autoClose: duration, position: defaultPosition, ...rest };
  if (toast.isActive(text)) toast.update(text, { ...options, render: content });
  else toast(content, { toastId: text, onClose: () => announcing.delete(text), ...options });
}

async function importLibrary() {
  return await import('react-toastify/unstyled').catch(() => undefined);
}
