import type { Message } from '@parley/contract';
import { useState } from 'react';

/**
 * Returns a number that changes when a list shows other messages than before: after a jump, and not when messages
 * are added at one of its ends.
 */
export function useListGeneration(messages: readonly Message[]): number {
  const [shown, setShown] = useState({ messages, generation: 0 });
  if (shown.messages === messages) return shown.generation;
  const generation = shown.generation + (isReplaced(shown.messages, messages) ? 1 : 0);
  setShown({ messages, generation });
  return generation;
}

/** Returns whether two uninterrupted sequences of messages have none in common. */
function isReplaced(before: readonly Message[], after: readonly Message[]): boolean {
  const [first, last] = [before[0]?.seq, before.at(-1)?.seq];
  const [nextFirst, nextLast] = [after[0]?.seq, after.at(-1)?.seq];
  if (first === undefined || last === undefined) return false;
  if (nextFirst === undefined || nextLast === undefined) return false;
  return nextLast < first || nextFirst > last;
}
