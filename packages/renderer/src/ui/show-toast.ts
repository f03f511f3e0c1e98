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

interface OpenToast {
  /**
   * Its id in the library. A toast of the same text that is still leaving has another one, as the library ignores a
   * new toast whose id it knows.
   */
  readonly id: string;
  /** Whether it survives the next navigation. */
  announcesNavigation: boolean;
}

/** The open toasts by their texts. */
const open = new Map<string, OpenToast>();
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
  for (const [text, each] of open) {
    if (!each.announcesNavigation) {
      dismissed.push(each.id);
      open.delete(text);
    } else if (!isRedirect) each.announcesNavigation = false;
  }
  if (dismissed.length === 0) return;
  const library = await importLibrary();
  for (const id of dismissed) library?.toast.dismiss(id);
}

// The library is loaded after the first screen. It queues toasts until its container is mounted. If it cannot
// be loaded, there are no toasts, so important information must also be shown on the screen.
async function show(
  text: string,
  type: TypeOptions,
  autoClose: number,
  { announcesNavigation = false, action, ...rest }: ToastOptions = {},
): Promise<void> {
  shown += 1;
  const key = shown;
  const id = open.get(text)?.id ?? `toast ${key}`;
  open.set(text, { id, announcesNavigation });
  const isOpen = (): boolean => open.get(text)?.id === id;
  const library = await importLibrary();
  // A navigation may have dismissed it in the meantime.
  if (!library || !isOpen()) return;
  const { toast } = library;
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
          toast.dismiss(id);
        },
      },
      action.label,
    );
  const content = createElement('span', { key }, text, button);
  // The library moves an open toast only if it gets a position.
  const duration = action ? Math.max(autoClose, ACTION_DURATION) : autoClose;
  const options = { type, autoClose: duration, position: defaultPosition, ...rest };
  const onClose = (): void => {
    if (isOpen()) open.delete(text);
  };
  if (toast.isActive(id)) toast.update(id, { ...options, render: content });
  else toast(content, { toastId: id, onClose, ...options });
}

async function importLibrary() {
  return await import('react-toastify/unstyled').catch(() => undefined);
}
