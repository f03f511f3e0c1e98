/** Copies a text to the clipboard. Resolves to whether it was copied. */
export async function copyText(text: string): Promise<boolean> {
  // Missing on pages without HTTPS.
  const { clipboard }: { clipboard?: Clipboard } = navigator;
  const isCopied = await clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (isCopied) return true;
  return copySelected(text);
}

/** Copies a text by selecting it, which works on pages without HTTPS. Restores the focus. */
function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}
