/**
 * Inserts text at the cursor or replaces the selection as if the user had typed it. Undo works, and the field's
 * listeners are called.
 */
export function insertText(field: HTMLTextAreaElement, text: string): void {
  field.focus();
  // Only `execCommand` supports the browser's undo. Falls back to setting the text if it is not available.
  if (document.execCommand('insertText', false, text)) return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text }));
}
