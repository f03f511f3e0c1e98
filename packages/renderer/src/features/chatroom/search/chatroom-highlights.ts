import {
  containsWords,
  findMatches,
  foldText,
  type SearchWord,
  type TextRange,
} from '@parley/contract';
import { createContext, useContext, useMemo } from 'react';

/** What the messages of the open chatroom highlight for its search. */
export interface ChatroomHighlights {
  words: readonly SearchWord[];
  /** Position of the message that is selected in the results, if any. */
  seq: number | undefined;
}

const NONE: ChatroomHighlights = { words: [], seq: undefined };

/** Provides the messages of the open chatroom with what they highlight. */
export const ChatroomHighlightsContext = createContext(NONE);

/** Returns the position of the message that is selected in the results of the search, if any. */
export function useSelectedSeq(): number | undefined {
  return useContext(ChatroomHighlightsContext).seq;
}

/** Returns where a text contains the searched words: nowhere, unless it contains all of them. */
export function useMatches(text: string): readonly TextRange[] {
  const { words } = useContext(ChatroomHighlightsContext);
  return useMemo(() => {
    const isFound = words.length > 0 && containsWords(foldText(text), words);
    return isFound ? findMatches(text, words) : [];
  }, [text, words]);
}

/** Returns the ranges of a text within a part of it, relative to the start of that part. */
export function rangesWithin(
  ranges: readonly TextRange[],
  start: number,
  end: number,
): TextRange[] {
  return ranges
    .filter((range) => range.start < end && range.end > start)
    .map((range) => ({
      start: Math.max(range.start, start) - start,
      end: Math.min(range.end, end) - start,
    }));
}
