import { findLinks } from '@parley/contract';
import { CIRCASSIA } from './custom-emoji.ts';
import { graphemes } from './graphemes.ts';

/** A part of a message's text: plain text, a link or a custom emoji. */
export type Segment =
  | { type: 'text'; text: string }
  | { type: 'link'; text: string; href: string }
  | { type: 'emoji'; shortcode: string };

/** Splits a text into plain text, links (http, https and mailto only) and custom emoji. */
export function segmentText(text: string): Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  for (const link of findLinks(text)) {
    segments.push(...segmentEmoji(text.slice(end, link.start)));
    segments.push({ type: 'link', text: text.slice(link.start, link.end), href: link.href });
    end = link.end;
  }
  segments.push(...segmentEmoji(text.slice(end)));
  return segments;
}

/** Splits a text without links into plain text and custom emoji. */
function segmentEmoji(text: string): Segment[] {
  const { shortcode } = CIRCASSIA;
  const segments: Segment[] = [];
  for (const [i, plain] of text.split(shortcode).entries()) {
    if (i > 0) segments.push({ type: 'emoji', shortcode });
    if (plain !== '') segments.push({ type: 'text', text: plain });
  }
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
