import { codePoints, LIMITS } from './limits.ts';
import { isBlank } from './visible-text.ts';

/** What the content of each kind of message is: a text, or the URL of an upload. */
export const CONTENT_OF_KINDS = { text: 'text', image: 'upload', audio: 'upload' } as const;

/** The kinds of messages. */
export type MessageKind = keyof typeof CONTENT_OF_KINDS;

/** The kinds whose content is a text. */
export type TextualKind = {
  [Kind in MessageKind]: (typeof CONTENT_OF_KINDS)[Kind] extends 'text' ? Kind : never;
}[MessageKind];

/** Returns whether the content of a kind is a text. False for kinds of newer servers. */
export function isTextual(kind: string): kind is TextualKind {
  return Object.hasOwn(CONTENT_OF_KINDS, kind) && CONTENT_OF_KINDS[kind as MessageKind] === 'text';
}

const IMAGE = /\.(?:jpe?g|png|svg|gif|bmp|webp)$/i;
const AUDIO = /\.(?:webm|mp3|mp4|wav|aac)$/i;

/**
 * Returns a text as it is sent and stored, without lines that are empty after trimming and without
 * null characters, which PostgreSQL cannot store. Returns an empty string if nothing visible is left.
 * Lines of invisible characters stay in other texts, as pictures of braille patterns contain them.
 */
export function cleanText(text: string): string {
  const cleaned = text
    .replaceAll('\0', '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n');
  return isBlank(cleaned) ? '' : cleaned;
}

/** Returns whether a cleaned text may be sent: 1 to 10,000 code points. */
export function isSendable(text: string): boolean {
  if (text.length === 0) return false;
  if (text.length <= LIMITS.messageMax) return true;
  return text.length <= LIMITS.messageMax * 2 && codePoints(text) <= LIMITS.messageMax;
}

/** Returns the beginning of a text, with at most `max` code points. */
export function cutExcerpt(text: string, max: number): string {
  // A code point has at most two code units.
  return text.length <= max
    ? text
    : Array.from(text.slice(0, max * 2))
        .slice(0, max)
        .join('');
}

/**
 * Returns how a message's content is displayed: as an image or recording if it is a single URL
 * below `mediaPrefix` with a known file extension, otherwise as text.
 */
export function contentKind(content: string, mediaPrefix: string): MessageKind {
  if (!content.startsWith(mediaPrefix) || /[\s?#]/.test(content)) return 'text';
  if (IMAGE.test(content)) return 'image';
  if (AUDIO.test(content)) return 'audio';
  return 'text';
}
