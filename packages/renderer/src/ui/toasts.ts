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

// The library is fetched right after the first screen, which has nothing to tell yet. It keeps what is
// shown before its container is there.
async function show(text: string, options: ToastOptions & { type: TypeOptions }): Promise<void> {
  const { toast } = await import('react-toastify/unstyled');
  toast(text, { toastId: text, ...options });
}
