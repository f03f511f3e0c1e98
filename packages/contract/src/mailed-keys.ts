const DIGIT = /\p{Nd}/u;

/**
 * Returns a mailed key in the one form that is compared: in capitals, with ASCII letters and digits for those that
 * input methods write in full width or in another script, and without spaces and invisible characters.
 */
export function normalizeKey(key: string): string {
  return removeSpacing(key)
    .normalize('NFKC')
    .replaceAll(/\p{Nd}/gu, asciiDigit)
    .toUpperCase();
}

/** Returns a text without spaces and invisible characters, which are often copied together with a key. */
export function removeSpacing(text: string): string {
  return text.replaceAll(/[\s\p{Cf}]/gu, '');
}

/** Returns the ASCII digit of the same value. Each script has its digits from zero to nine in a row. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let start = code;
  while (DIGIT.test(String.fromCodePoint(start - 1))) start -= 1;
  return String((code - start) % 10);
}
