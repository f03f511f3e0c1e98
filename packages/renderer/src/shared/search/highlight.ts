import type { TextRange } from '@parley/contract';
import { CIRCASSIA } from '../../format/custom-emoji.ts';

/** A part of a text. */
interface TextPiece {
  readonly offset: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** Splits a text into the parts that were found and those between them. A custom emoji stays whole. */
export function splitMatches(text: string, ranges: readonly TextRange[]): TextPiece[] {
  const emoji = [...text.matchAll(new RegExp(CIRCASSIA.shortcode, 'g'))].map(({ index }) => ({
    start: index,
    end: index + CIRCASSIA.shortcode.length,
  }));
  const pieces: TextPiece[] = [];
  let offset = 0;
  const add = (end: number, isMatch: boolean): void => {
    if (end <= offset) return;
    pieces.push({ offset, text: text.slice(offset, end), isMatch });
    offset = end;
  };
  for (const range of ranges) {
    const touched = emoji.filter(({ start, end }) => start < range.end && end > range.start);
    add(Math.min(range.start, ...touched.map(({ start }) => start)), false);
    add(Math.max(range.end, ...touched.map(({ end }) => end)), true);
  }
  add(text.length, false);
  return pieces;
}
