import type { SearchWord } from '@parley/contract';

/** Returns whether a folded text contains all words of a search. */
export type WordMatcher = (foldedText: string) => boolean;

/**
 * Creates a matcher. It finds the same as `containsWords`, and takes little time for any text: `includes`
 * takes up to 30 times as long for short words whose first character fills a text. The group makes the
 * engine compile the expression instead of looking for its text by `includes`.
 */
export function createWordMatcher(words: readonly SearchWord[]): WordMatcher {
  const patterns = words.map(
    (spellings) => new RegExp(`(${spellings.map((each) => RegExp.escape(each)).join('|')})`),
  );
  return (foldedText) => patterns.every((pattern) => pattern.test(foldedText));
}
