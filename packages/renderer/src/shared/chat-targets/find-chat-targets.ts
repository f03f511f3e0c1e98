import type { Chat } from '@parley/client';
import { usernameKey } from '@parley/contract';

/** Maximum number of chats that are listed. The search finds the others. */
export const LISTED_TARGETS_MAX = 100;

/**
 * Returns the chats that content can be forwarded or shared to and whose partner matches the search, in the order of the
 * chat list. All match an empty search.
 */
export function findChatTargets(chats: readonly Chat[], search: string): Chat[] {
  const key = usernameKey(search);
  return chats.filter(
    ({ names, isDeleted, status }) =>
      !isDeleted &&
      status !== 'request' &&
      names.length > 0 &&
      usernameKey(nameOfTarget({ names })).includes(key),
  );
}

/** Returns the name of a chat in the list of targets. */
export function nameOfTarget({ names }: Pick<Chat, 'names'>): string {
  return names.join(', ');
}
