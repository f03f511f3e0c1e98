import { useState } from 'react';
import { findEmojiQuery, type EmojiQuery } from './find-emoji-query.ts';

interface TrackedQuery {
  /** The emoji's name at the cursor for which suggestions are shown, if any. */
  query: EmojiQuery | undefined;
  /** Called after an input. */
  track: (box: HTMLTextAreaElement) => void;
  /** Shows no more suggestions until another name begins. */
  close: () => void;
}

/** Follows the name of an emoji that the user is writing. */
export function useEmojiQuery(value: string): TrackedQuery {
  const [state, setState] = useState<{ query?: EmojiQuery | undefined; closedAt?: number }>({});
  const { query, closedAt } = state;
  // The text may have been sent or replaced in the meantime.
  const isCurrent =
    query !== undefined &&
    query.start !== closedAt &&
    value.startsWith(`:${query.name}`, query.start);
  return {
    query: isCurrent ? query : undefined,
    track: ({ value: text, selectionStart, selectionEnd }) => {
      const next =
        selectionStart === selectionEnd ? findEmojiQuery(text, selectionStart) : undefined;
      setState((before) => (next ? { ...before, query: next } : {}));
    },
    close: () => setState((before) => (before.query ? { closedAt: before.query.start } : before)),
  };
}
