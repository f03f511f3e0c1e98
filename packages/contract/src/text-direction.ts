/** The blocks of right-to-left scripts: Hebrew, Arabic, Syriac, Thaana, N'Ko, Adlam and historic ones. */
const RIGHT_TO_LEFT =
  '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}';

const ANY_RIGHT_TO_LEFT = new RegExp(`[${RIGHT_TO_LEFT}]`, 'u');
const FIRST_LETTER = /\p{L}/u;

// Between these, a text has a direction of its own, and none has an effect on the text around it.
const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/** Returns the direction of a line, which is that of its first letter. */
export function directionOf(line: string): 'ltr' | 'rtl' {
  const [letter = ''] = FIRST_LETTER.exec(line) ?? [];
  return ANY_RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}

/** Returns a text for the middle of a line, so that neither changes the direction of the other. */
export function isolate(text: string): string {
  return ANY_RIGHT_TO_LEFT.test(text) ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text;
}

/** Returns a text without white space around its lines and without blank lines, and with single spaces. */
export function collapseSpace(text: string): string {
  return text.trim().replace(/\s+/gu, (space) => (/[\n\r\u2028\u2029]/.test(space) ? '\n' : ' '));
}

/** Returns the lines of a text in one line. Each keeps its own direction. */
export function joinLines(text: string): string {
  return text.includes('\n') ? text.split('\n').map(isolate).join(' ') : text;
}
