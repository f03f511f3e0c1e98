import { foldWithOrigin } from './fold-text.ts';
import { codePoints, LIMITS } from './limits.ts';
import type { Excerpt, TextRange } from './schemas/index.ts';
import type { SearchWord } from './search-query.ts';

/** How much of an excerpt may stand before the first word that was found. */
const LEAD = 1 / 4;

/**
 * Returns where a text contains the words of a query: ranges of the original text in ascending order
 * that do not overlap. Words that the text does not contain have no ranges.
 */
export function findMatches(text: string, words: readonly SearchWord[]): TextRange[] {
  return findFirstMatches(text, words, text.length);
}

/** Returns the first match, and the ones that begin up to `length` code units after its start. */
function findFirstMatches(text: string, words: readonly SearchWord[], length: number): TextRange[] {
  // Folding a long text takes a while.
  if (words.length === 0) return [];
  const { folded, originOf } = foldWithOrigin(text);
  const found = words
    .flat()
    .map((spelling) => ({ spelling, first: folded.indexOf(spelling) }))
    .filter(({ first }) => first !== -1);
  const first = found.reduce((min, each) => Math.min(min, each.first), Infinity);
  const last = originOf(first, first).start + length;
  const ranges: TextRange[] = [];
  for (const { spelling, first: from } of found) {
    for (let start = from; start !== -1;) {
      const range = originOf(start, start + spelling.length);
      if (range.start > last) break;
      ranges.push(range);
      start = folded.indexOf(spelling, start + spelling.length);
    }
  }
  return mergeRanges(ranges);
}

/** Returns ranges in ascending order, with those that overlap or touch as one. */
function mergeRanges(ranges: readonly TextRange[]): TextRange[] {
  const merged: { start: number; end: number }[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else merged.push({ ...range });
  }
  return merged;
}

/**
 * Returns the part of a text around the first word of a query, on one line and with the words marked.
 * @param max the maximum length in code points.
 */
export function createExcerpt(
  text: string,
  words: readonly SearchWord[],
  max: number = LIMITS.searchExcerpt,
): Excerpt {
  // What is shown ends before that, as a code point has at most two code units. A long text may have
  // thousands of further matches.
  const matches = findFirstMatches(text, words, max * 2);
  const { start, end } = chooseWindow(text, matches[0], max);
  const prefix = start > 0 ? '…' : '';
  const ranges = matches
    .filter((match) => match.start < end && match.end > start)
    .map((match) => ({
      start: Math.max(match.start, start) - start + prefix.length,
      end: Math.min(match.end, end) - start + prefix.length,
    }));
  const shown = text.slice(start, end).replace(/\s/gu, ' ');
  return { text: `${prefix}${shown}${end < text.length ? '…' : ''}`, ranges };
}

/** Chooses the part of a text to show, which begins and ends between characters, if possible of words. */
function chooseWindow(text: string, first: TextRange | undefined, max: number): TextRange {
  // A code point has at most two code units.
  if (text.length <= max || (text.length <= max * 2 && codePoints(text) <= max)) {
    return { start: 0, end: text.length };
  }
  // Two characters are needed for the ellipses.
  const room = max - 2;
  let start = 0;
  if (first) {
    start = stepBack(text, first.start, Math.floor(room * LEAD));
    // Begins after a space, if there is one before the word.
    const space = text.slice(start, first.start).search(/\s/u);
    if (start > 0 && space !== -1) start += space + 1;
  }
  const end = stepForward(text, start, room);
  if (end < text.length) return { start, end: endAtSpace(text, start, end, first) };
  // The end of the text is shown, so that more of what is before it fits.
  return { start: Math.min(start, stepBack(text, text.length, room)), end };
}

/** Moves the end of a window to a space, unless that would leave out too much or the first match. */
function endAtSpace(
  text: string,
  start: number,
  end: number,
  first: TextRange | undefined,
): number {
  const earliest = Math.max(first?.end ?? start, start + Math.floor((end - start) * (1 - LEAD)));
  for (let i = end; i > earliest; i -= 1) {
    if (/\s/u.test(text.charAt(i))) return i;
  }
  return end;
}

/** Returns the offset that is `count` code points before another one, or the start of the text. */
function stepBack(text: string, from: number, count: number): number {
  let offset = from;
  for (let i = 0; i < count && offset > 0; i += 1) {
    offset -= offset > 1 && (text.codePointAt(offset - 2) ?? 0) > 0xff_ff ? 2 : 1;
  }
  return offset;
}

/** Returns the offset that is `count` code points after another one, or the end of the text. */
function stepForward(text: string, from: number, count: number): number {
  let offset = from;
  for (let i = 0; i < count && offset < text.length; i += 1) {
    offset += (text.codePointAt(offset) ?? 0) > 0xff_ff ? 2 : 1;
  }
  return offset;
}
