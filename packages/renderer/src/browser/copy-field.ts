/**
 * Copies the text of a field to the clipboard. Resolves to whether it was copied. If not, the text is selected,
 * so that the user can copy it.
 */
export async function copyField(field: HTMLInputElement): Promise<boolean> {
  // Missing on pages without HTTPS.
  const { clipboard }: { clipboard?: Clipboard } = navigator;
  const isCopied = await clipboard?.writeText(field.value).then(
    () => true,
    () => false,
  );
  if (isCopied) return true;
  field.focus();
  field.select();
  return document.execCommand('copy');
}
