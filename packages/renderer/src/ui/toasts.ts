import { createElement } from 'react';
import type { ToastOptions, TypeOptions } from 'react-toastify/unstyled';

/** How long a toast stays. Long enough to be read twice; hovering or focusing it stops the clock. Milliseconds. */
const SUCCESS_TIME = 5_000;
const ERROR_TIME = 8_000;

/** Tells that something worked. The same text is shown once at a time. */
export function toastSuccess(text: string, options?: ToastOptions): void {
  void show(text, { type: 'success', autoClose: SUCCESS_TIME, ...options });
}

/** Tells that something failed. The same text is shown once at a time. */
export function toastError(text: string, options?: ToastOptions): void {
  void show(text, { type: 'error', autoClose: ERROR_TIME, ...options });
}

/** Tells something that is neither. The same text is shown once at a time. */
export function toastInfo(text: string, options?: ToastOptions): void {
  void show(text, { type: 'info', autoClose: SUCCESS_TIME, ...options });
}

let shown = 0;

// The library is fetched right after the first screen, which has nothing to tell yet. It keeps what is
// shown before its container is there. Where it cannot be fetched there is no toast: what must not be
// missed stands on the screen, too.
async function show(text: string, options: ToastOptions & { type: TypeOptions }): Promise<void> {
  const library = await import('react-toastify/unstyled').catch(() => undefined);
  if (!library) return;
  const { toast } = library;
  shown += 1;
  // A new element for the same words: what happens again is announced again, and stays as long.
  const content = createElement('span', { key: shown }, text);
  if (toast.isActive(text)) toast.update(text, { ...options, render: content });
  else toast(content, { toastId: text, ...options });
}
