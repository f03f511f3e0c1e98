import { foldText } from './fold-text.ts';
import { codePoints, LIMITS } from './limits.ts';

/** A word to search for: a text contains the word if it contains one of these folded spellings. */
export type SearchWord = readonly [string, ...string[]];

/** Up to this number of umlauts in a word, every combination of their spellings is tried. */
const COMBINED_UMLAUTS = 2;

/**
 * Returns the words of a query without duplicates. Texts are stored with ä as a, so `ae`, `oe` and `ue`
 * are also tried as `a`, `o` and `u`; the texts themselves keep them, as in "Steuerung".
 */
export function parseSearchQuery(query: string): SearchWord[] {
  const words = foldText(query)
    .split(' ')
    .filter((word) => word !== '');
  return [...new Set(words)].map(toSpellings);
}

function toSpellings(word: string): SearchWord {
  const umlauts = [...word.matchAll(/[aou]e/g)].map(({ index }) => index);
  const others = new Set<string>();
  if (umlauts.length <= COMBINED_UMLAUTS) {
    for (let choice = 1; choice < 2 ** umlauts.length; choice += 1) {
      const chosen = umlauts.filter((_index, i) => (choice >> i) % 2 === 1);
      others.add(withoutE(word, chosen));
    }
  } else {
    others.add(withoutE(word, umlauts));
  }
  // A long word must not find everything by a short spelling.
  const min = Math.min(codePoints(word), LIMITS.searchWordMin);
  return [word, ...[...others].filter((spelling) => codePoints(spelling) >= min)];
}

/** Removes the `e` of umlauts that start at these indexes. */
function withoutE(word: string, umlauts: readonly number[]): string {
  const removed = new Set(umlauts.map((index) => index + 1));
  return [...Array(word.length).keys()]
    .filter((i) => !removed.has(i))
    .map((i) => word.charAt(i))
    .join('');
}

/** Returns the words that are long enough to be searched for in all chatrooms. */
export function longWords(words: readonly SearchWord[]): SearchWord[] {
  return words.filter(([word]) => codePoints(word) >= LIMITS.searchWordMin);
}

/** Returns whether a folded text contains all words. */
export function containsWords(foldedText: string, words: readonly SearchWord[]): boolean {
  return words.every((spellings) => spellings.some((spelling) => foldedText.includes(spelling)));
}
