import { codePoints, collapseSpace, joinLines } from '@parley/contract';

/** An emoji that is not part of Unicode, as its shortcode. */
const CIRCASSIA = ':circassia:';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Returns the user-perceived characters of a text. */
export function graphemesOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/**
 * Returns a text in one line, with at most `max` characters and an ellipsis, cut at a whole emoji or letter. What
 * was a line of the text keeps its own direction.
 * @param text may end anywhere after `max` characters
 * @param circassia the name of the emoji, which replaces its shortcode
 */
export function shortenText(text: string, max: number, circassia: string): string {
  const isLong = codePoints(text) > max;
  const units = collapseSpace(text)
    .split(/(:circassia:)/)
    .flatMap(toUnits);
  // The last one may go on after the end of a long text.
  const kept = isLong ? takeUnits(withoutPartialCode(units).slice(0, -1), max) : units;
  const shown = kept.map((unit) => (unit === CIRCASSIA ? circassia : unit)).join('');
  return joinLines(isLong ? `${shown.trimEnd()}…` : shown);
}

/** Returns what is cut only as a whole. */
function toUnits(part: string): string[] {
  return part === CIRCASSIA ? [part] : graphemesOf(part);
}

/** Removes the beginning of a shortcode from the end. */
function withoutPartialCode(units: readonly string[]): readonly string[] {
  for (let length = CIRCASSIA.length - 1; length > 0; length -= 1) {
    const end = units.slice(-length).join('');
    if (end === CIRCASSIA.slice(0, length)) return [...units.slice(0, -length), ''];
  }
  return units;
}

/** Returns the first units with at most `max` code points. */
function takeUnits(units: readonly string[], max: number): string[] {
  const kept: string[] = [];
  let length = 0;
  for (const unit of units) {
    length += codePoints(unit);
    if (length > max) break;
    kept.push(unit);
  }
  return kept;
}
