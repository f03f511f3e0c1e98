import type { Message } from '@parley/contract';

/** Returns the emoji with which a user has reacted to a message. */
export function findOwnEmoji(
  { reactions = [] }: Pick<Message, 'reactions'>,
  username: string,
): ReadonlySet<string> {
  const own = reactions.filter(({ usernames }) => usernames.includes(username));
  return new Set(own.map(({ emoji }) => emoji));
}
