/**
 * Puts text where the cursor is, in place of what is selected, as if it had been typed: undo works and
 * the field's own listeners hear it.
 */
export function insertText(field: HTMLTextAreaElement, text: string): void {
  field.focus();
  // The only way that keeps the browser's undo; where it is gone, the plain way.
  if (document.execCommand('insertText', false, text)) return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text }));
}
