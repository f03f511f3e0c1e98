import { CIRCASSIA } from './custom-emoji.ts';
import { graphemes } from './graphemes.ts';

/** A part of a message's text: plain text, a link or a custom emoji. */
export type Segment =
  | { type: 'text'; text: string }
  | { type: 'link'; text: string; href: string }
  | { type: 'emoji'; shortcode: string };

// Repetitions are bounded where two parts could match the same character, so that long texts are scanned in
// linear time. Bidirectional control characters are excluded, as they could disguise a URL.
const LINK_OR_EMOJI =
  /:circassia:|https?:\/\/[^\s<>"\p{Bidi_Control}]+|mailto:[^\s<>"\p{Bidi_Control}]+|www\.[^\s<>".\p{Bidi_Control}]{1,63}\.[^\s<>"\p{Bidi_Control}]+|[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/giu;

const SAFE_PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);

/** Splits a text into plain text, links (http, https and mailto only) and custom emoji. */
export function segmentText(text: string): Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  for (const match of text.matchAll(LINK_OR_EMOJI)) {
    if (match.index < end) continue;
    const segment = segmentOf(match[0]);
    if (!segment) continue;
    if (match.index > end) segments.push({ type: 'text', text: text.slice(end, match.index) });
    segments.push(segment);
    end = match.index + (segment.type === 'link' ? segment.text.length : match[0].length);
  }
  if (end < text.length) segments.push({ type: 'text', text: text.slice(end) });
  return segments;
}

/** Returns the number of emoji in a text that contains nothing else; 0 for other texts or more than `max` emoji. */
export function emojiCount(text: string, max = 6): number {
  // The longest emoji (families and tag sequences) are well below 40 code units.
  if (text.length > max * 40) return 0;
  const bare = text.replaceAll(CIRCASSIA.shortcode, '\u{1F3F4}').replace(/\s+/gu, '');
  const parts = graphemes(bare);
  return parts.length <= max && parts.every(isEmoji) ? parts.length : 0;
}

function isEmoji(grapheme: string): boolean {
  return /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}\p{Emoji_Modifier}|[0-9#*]\uFE0F\u20E3)/u.test(
    grapheme,
  );
}

function segmentOf(match: string): Segment | undefined {
  if (match.toLowerCase() === CIRCASSIA.shortcode) {
    return match === CIRCASSIA.shortcode ? { type: 'emoji', shortcode: match } : undefined;
  }
  const text = withoutClosing(match);
  const href = safeHref(text);
  return href ? { type: 'link', text, href } : undefined;
}

function safeHref(text: string): string | undefined {
  let candidate = text;
  if (/^www\./i.test(text)) candidate = `https://${text}`;
  else if (!/^(?:https?:\/\/|mailto:)/i.test(text)) candidate = `mailto:${text}`;
  try {
    const url = new URL(candidate);
    // Credentials before an @ could look like a host name.
    const isPlain = url.username === '' && url.password === '';
    return isPlain && SAFE_PROTOCOLS.has(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

// Excludes trailing punctuation from a link, and closing brackets that were not opened within it.
function withoutClosing(text: string): string {
  // Counted once, as a text may consist of brackets only.
  const unopened = { ')': surplus(text, '(', ')'), ']': surplus(text, '[', ']') };
  let end = text.length;
  while (end > 0) {
    const last = text.charAt(end - 1);
    const isUnopened = (last === ')' || last === ']') && unopened[last]-- > 0;
    if (!isUnopened && !/[.,;:!?'*_~…]/u.test(last)) break;
    end -= 1;
  }
  return text.slice(0, end);
}

/** Returns how many more closing than opening brackets a text has. */
function surplus(text: string, open: string, close: string): number {
  return text.split(close).length - text.split(open).length;
}
