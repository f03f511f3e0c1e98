import { createElement } from 'react';
import type { TypeOptions } from 'react-toastify/unstyled';

/** How long a toast stays, in milliseconds; hovering or focusing it stops the clock. */
const INFO_TIME = 4_000;
const ERROR_TIME = 8_000;

/** What sets a toast apart from others of its type. */
export interface ToastExtras {
  /** `bottom-center` is for what concerns the input bar, above which it stands. */
  position?: 'bottom-center';
  /** It tells the result of a navigation that is about to happen, and therefore survives it. */
  announcesNavigation?: boolean;
  onClick?: () => void;
}

/** Shows that something worked. The same text is shown once at a time. */
export function toastSuccess(text: string, extras?: ToastExtras): void {
  void show(text, 'success', INFO_TIME, extras);
}

/** Shows that something failed. The same text is shown once at a time. */
export function toastError(text: string, extras?: ToastExtras): void {
  void show(text, 'error', ERROR_TIME, extras);
}

/** Shows neutral information. The same text is shown once at a time. */
export function toastInfo(text: string, extras?: ToastExtras): void {
  void show(text, 'info', INFO_TIME, extras);
}

/** The toasts that were not dismissed by a navigation, and whether the next one spares them. */
const announcing = new Map<string, boolean>();
let shown = 0;

/**
 * Dismisses the toasts that belong to the screen that was left. One that announces the navigation
 * stays for it and for the redirects that follow, but not for the next one that the user makes.
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

// The library is fetched right after the first screen, which has nothing to tell yet. It keeps what is
// shown before its container is there. Where it cannot be fetched there is no toast: what must not be
// missed stands on the screen, too.
async function show(
  text: string,
  type: TypeOptions,
  autoClose: number,
  { announcesNavigation = false, ...extras }: ToastExtras = {},
): Promise<void> {
  announcing.set(text, announcesNavigation);
  const library = await importLibrary();
  // A navigation may have dismissed it meanwhile.
  if (!library || !announcing.has(text)) return;
  const { toast } = library;
  shown += 1;
  // A new element for the same words: what happens again is announced again, and stays as long.
  const content = createElement('span', { key: shown }, text);
  const options = { type, autoClose, ...extras };
  if (toast.isActive(text)) toast.update(text, { ...options, render: content });
  else toast(content, { toastId: text, onClose: () => announcing.delete(text), ...options });
}

async function importLibrary() {
  return await import('react-toastify/unstyled').catch(() => undefined);
}
