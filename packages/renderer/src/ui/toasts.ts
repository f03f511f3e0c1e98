import { toast, type ToastOptions } from 'react-toastify/unstyled';

/** How long a toast stays. Long enough to be read twice; hovering or focusing it stops the clock. Milliseconds. */
const SUCCESS_TIME = 5_000;
const ERROR_TIME = 8_000;

/** Tells that something worked. The same text is shown once at a time. */
export function toastSuccess(text: string, options?: ToastOptions): void {
  toast.success(text, { toastId: text, autoClose: SUCCESS_TIME, ...options });
}

/** Tells that something failed. The same text is shown once at a time. */
export function toastError(text: string, options?: ToastOptions): void {
  toast.error(text, { toastId: text, autoClose: ERROR_TIME, ...options });
}

/** Tells something that is neither. The same text is shown once at a time. */
export function toastInfo(text: string, options?: ToastOptions): void {
  toast.info(text, { toastId: text, autoClose: SUCCESS_TIME, ...options });
}
