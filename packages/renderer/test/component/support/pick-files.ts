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
