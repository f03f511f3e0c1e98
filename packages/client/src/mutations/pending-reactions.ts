import type { Message, Reaction } from '@parley/contract';
import { hasFields, isBoolean, isText } from '../api/responses.ts';
import { withReactions } from '../stores/message-reactions.ts';
import type { Mutation } from './mutations-store.ts';

/** The kind of the mutations of reactions. */
export const REACTION_MUTATION = 'reaction';

/** The value of the mutation of a reaction. */
export interface ReactionMutationValue {
  messageId: string;
  emoji: string;
  isOn: boolean;
}

/** Returns the key of the mutation of a reaction. */
export function reactionMutationKey(messageId: string, emoji: string): string {
  return `${REACTION_MUTATION}:${messageId}:${emoji}`;
}

/** Parses the value of a mutation. Returns undefined unless it is one of a reaction. */
export function parseReactionMutation({ key, value }: Mutation): ReactionMutationValue | undefined {
  if (!key.startsWith(`${REACTION_MUTATION}:`)) return undefined;
  const isValid = hasFields(value, { messageId: isText, emoji: isText, isOn: isBoolean });
  return isValid ? (value as ReactionMutationValue) : undefined;
}

/**
 * Returns messages with the reactions of the user that the server has not confirmed yet. Unaffected
 * messages keep their identity, and so does the list if there are none.
 */
export function withPendingReactions(
  messages: readonly Message[],
  mutations: readonly Mutation[],
  username: string,
): readonly Message[] {
  const pending = Map.groupBy(
    mutations.map(parseReactionMutation).filter((value) => value !== undefined),
    ({ messageId }) => messageId,
  );
  if (pending.size === 0 || !messages.some(({ _id }) => pending.has(_id))) return messages;
  return messages.map((message) => {
    const changes = pending.get(message._id);
    if (!changes) return message;
    const before = message.reactions ?? [];
    const after = changes.reduce(
      (reactions, { emoji, isOn }) => withReaction(reactions, emoji, username, isOn),
      before,
    );
    return after === before ? message : withReactions(message, after);
  });
}

function withReaction(
  reactions: Reaction[],
  emoji: string,
  username: string,
  isOn: boolean,
): Reaction[] {
  const known = reactions.find((each) => each.emoji === emoji);
  if ((known?.usernames.includes(username) ?? false) === isOn) return reactions;
  if (!known) return [...reactions, { emoji, usernames: [username] }];
  const usernames = isOn
    ? [...known.usernames, username]
    : known.usernames.filter((name) => name !== username);
  return reactions
    .map((each) => (each === known ? { emoji, usernames } : each))
    .filter((each) => each.usernames.length > 0);
}
