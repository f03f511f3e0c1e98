import type { SearchWord } from '@parley/contract';

/**
 * About how long a part of a search takes, in microseconds: looking for the candidates of a segment, reading
 * when a message was sent, reading a message, looking for words in 1,024 code units of folded text, folding as
 * many, or as many of other characters than printable ASCII ones, looking for links in as many (up to 4 times as
 * long if all are invalid), reading a message that is shown, and marking words in 1,024 code units of its text.
 */
const COST = {
  segment: 40,
  time: 6,
  message: 4,
  kilobyte: 5,
  folding: 5,
  foldingOthers: 70,
  link: 20,
  hit: 20,
  marking: 120,
} as const;

/**
 * About how long a response may take, in microseconds. The page then ends early and the next one continues.
 * Searches for most words need a fraction of it.
 */
const EFFORT_MAX = 40_000;

/** The effort of a search. It is counted instead of measured, so that equal searches end equally. */
export interface Effort {
  spend(what: keyof typeof COST, count: number): void;
  /** Whether the page must end as soon as the search has made progress. */
  readonly isSpent: boolean;
  /** About how long the search has taken, in milliseconds. */
  readonly milliseconds: number;
}

/** Number of spellings in a search whose cost is the one above. More take longer per kilobyte. */
const SPELLINGS_INCLUDED = 4;

/** Creates the effort of one response to a search for words. */
export function createEffort(words: readonly SearchWord[]): Effort {
  const factor = Math.max(1, words.flat().length / SPELLINGS_INCLUDED);
  const costs = { ...COST, kilobyte: COST.kilobyte * factor };
  let spent = 0;
  return {
    spend(what, count) {
      spent += costs[what] * count;
    },
    get isSpent() {
      return spent >= EFFORT_MAX;
    },
    get milliseconds() {
      return spent / 1000;
    },
  };
}
