import type { Message, Reaction } from '@parley/contract';

/** Returns a message without the reactions of all users but one. */
export function withReactionsOf(message: Message, username: string): Message {
  if (!message.reactions?.some(({ usernames }) => usernames.some((name) => name !== username))) {
    return message;
  }
  const own = message.reactions.filter(({ usernames }) => usernames.includes(username));
  return withReactions(
    message,
    own.map(({ emoji }) => ({ emoji, usernames: [username] })),
  );
}

/** Returns a message with other reactions. */
export function withReactions(message: Message, reactions: Reaction[]): Message {
  const { reactions: _before, ...others } = message;
  return reactions.length === 0 ? others : { ...others, reactions };
}
