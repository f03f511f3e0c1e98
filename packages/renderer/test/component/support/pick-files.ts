import { vi } from 'vitest';
import { page } from 'vitest/browser';

function transferOf(files: readonly File[]): DataTransfer {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  return transfer;
}

/** Chooses files in the composer, as in the dialog that its button opens. */
export function pickFiles(...files: File[]): void {
  const input = page.getByCss('input[type=file]').element() as HTMLInputElement;
  input.files = transferOf(files).files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Chooses a file as a cloud folder provides it. Returns what its bytes arrive with, or fail with. */
export function pickSlowFile(file: File): PromiseWithResolvers<void> {
  const arrival = Promise.withResolvers<void>();
  const slow = Object.assign(new File([file], file.name, { type: file.type }), {
    slice: (...args: Parameters<File['slice']>) =>
      Object.assign(file.slice(...args), {
        arrayBuffer: () => arrival.promise.then(() => file.arrayBuffer()),
      }),
  });
  // A list of files would contain another object for it.
  const files = vi.spyOn(HTMLInputElement.prototype, 'files', 'get');
  files.mockReturnValue([slow] as unknown as FileList);
  const input = page.getByCss('input[type=file]').element();
  input.dispatchEvent(new Event('change', { bubbles: true }));
  files.mockRestore();
  return arrival;
}

/**
 * Drops a file on an element, by default the messages. Returns for each event whether the browser would open a file
 * that is dropped there.
 */
export function dropFileOn(file: File, selector = 'main section'): boolean[] {
  const target = page.getByCss(selector).first().element();
  const init = { bubbles: true, cancelable: true, dataTransfer: transferOf([file]) };
  target.dispatchEvent(new DragEvent('dragenter', init));
  return ['dragover', 'drop'].map((type) => target.dispatchEvent(new DragEvent(type, init)));
}
