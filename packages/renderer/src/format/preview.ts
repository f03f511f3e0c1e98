import { collapseSpace, joinLines, UI } from '@parley/contract';
import { CIRCASSIA } from './custom-emoji.ts';
import { graphemes } from './graphemes.ts';
import { mediaViewOf, type MediaKindView } from './message-kinds.ts';

/** The content of a chat's second line in the chat list. */
export type ChatPreview =
  | { type: 'none' }
  | { type: 'media'; isOwn: boolean; media: MediaKindView }
  | { type: 'text'; isOwn: boolean; text: string };

interface PreviewSource {
  last: { content: string; kind: string; isOwn: boolean } | null;
}

/** Returns the maximum length of a preview: less on narrow screens, half for own messages. */
function previewLimit(isWide: boolean, isOwn: boolean): number {
  const limit = isWide ? UI.previewWide : UI.previewNarrow;
  return isOwn ? limit / 2 : limit;
}

/** Returns the preview of a chat's last message. `isWide` applies from 1280 pixels on. */
export function createPreview({ last }: PreviewSource, isWide: boolean): ChatPreview {
  if (!last) return { type: 'none' };
  const { isOwn } = last;
  const media = mediaViewOf(last.kind);
  if (media) return { type: 'media', isOwn, media };
  return { type: 'text', isOwn, text: shorten(last.content, previewLimit(isWide, isOwn)) };
}

/**
 * Shortens a text to one line of at most `maxLength` characters and an ellipsis. A custom emoji counts as one. What
 * was a line of the text keeps its own direction.
 */
export function shorten(text: string, maxLength: number): string {
  // Limits the work for long texts. No user-perceived character needs more than 64 code units.
  const head = collapseSpace(text.slice(0, maxLength * 64));
  const parts: string[] = [];
  for (const [index, piece] of head.split(CIRCASSIA.shortcode).entries()) {
    if (index > 0) parts.push(CIRCASSIA.shortcode);
    parts.push(...graphemes(piece));
  }
  const isWhole = parts.length <= maxLength && text.length <= maxLength * 64;
  const shown = parts.slice(0, maxLength).join('');
  return joinLines(isWhole ? shown : `${shown.trimEnd()}…`);
}
