/**
 * A character without appearance, for a character class: white space, controls, and what Unicode ignores in
 * display, together with the blanks that Unicode counts as letters, symbols or marks.
 */
const INVISIBLE =
  '\\s\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2800\\ufff9-\\ufffc\\u{13430}-\\u{13442}\\u{16fe4}\\u{1d159}';

const ONE_VISIBLE = new RegExp(`[^${INVISIBLE}]`, 'u');
const ONE_INVISIBLE = new RegExp(`[${INVISIBLE}]`, 'u');

/** Returns whether a text is empty to its readers, because it has no visible character. */
export function isBlank(text: string): boolean {
  return !ONE_VISIBLE.test(text);
}

/** Returns a text without white space around it. Returns an empty string if nothing visible is left. */
export function trimText(text: string): string {
  return isBlank(text) ? '' : text.trim();
}

/** Returns whether a text contains a character without appearance, such as a space or a soft hyphen. */
export function hasInvisible(text: string): boolean {
  return ONE_INVISIBLE.test(text);
}
