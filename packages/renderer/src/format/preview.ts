import { UI, type MessageKind } from '@parley/contract';
import { CIRCASSIA } from './custom-emoji.ts';
import { graphemes } from './graphemes.ts';

/** What the second line of a chat shows; the words for all but `text` are the translations'. */
export type ChatPreview =
  | { type: 'none' }
  | { type: 'image' | 'audio'; isOwn: boolean }
  | { type: 'text'; isOwn: boolean; text: string };

interface PreviewSource {
  last: { content: string; kind: MessageKind; isOwn: boolean } | null;
}

/** How many characters of a message a preview shows: fewer on narrow screens, half for one's own. */
function previewLimit(isWide: boolean, isOwn: boolean): number {
  const limit = isWide ? UI.previewWide : UI.previewNarrow;
  return isOwn ? limit / 2 : limit;
}

/** What the second line of a chat shows. `isWide` from 1280 pixels on. */
export function previewOf({ last }: PreviewSource, isWide: boolean): ChatPreview {
  if (!last) return { type: 'none' };
  const { isOwn } = last;
  if (last.kind !== 'text') return { type: last.kind, isOwn };
  return { type: 'text', isOwn, text: shorten(last.content, previewLimit(isWide, isOwn)) };
}

/** A text on one line, cut with an ellipsis after `most` characters; a custom emoji counts as one. */
export function shorten(text: string, most: number): string {
  // No character that a reader counts needs more than a few units; more is never looked at.
  const head = text
    .slice(0, most * 64)
    .replace(/\s+/gu, ' ')
    .trim();
  const parts: string[] = [];
  for (const [index, piece] of head.split(CIRCASSIA.shortcode).entries()) {
    if (index > 0) parts.push(CIRCASSIA.shortcode);
    parts.push(...graphemes(piece));
  }
  if (parts.length <= most) return text.length > most * 64 ? `${parts.join('')}…` : parts.join('');
  return `${parts.slice(0, most).join('').trimEnd()}…`;
}
