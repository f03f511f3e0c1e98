import type { Reaction } from '@parley/contract';
import { isBoolean, isText } from '../../api/responses.ts';
import { withChangedMessage, withMessage } from '../../stores/loaded-chatroom.ts';
import { withReactions } from '../../stores/message-reactions.ts';
import { defineChange } from './change.ts';

/** A reaction to a message that is on or off. */
interface ReactionChange {
  messageId: string;
  emoji: string;
  isOn: boolean;
}

/** Adds a reaction of the user to a message, or takes it back. */
export const reaction = defineChange<ReactionChange>('reaction', {
  what: 'reacting to a message',
  fields: { messageId: isText, emoji: isText, isOn: isBoolean },
  target: (_chatroomId, { messageId, emoji }) => `${messageId}:${emoji}`,
  lane: (_chatroomId, { messageId }) => `message:${messageId}`,
  send: async ({ api, stores }, chatroomId, body) => {
    const message = await api.call('reactToMessage', { body });
    stores.rooms.getState().update(chatroomId, (room) => withMessage(room, message, false).room);
  },
  applyToChatroom: (room, { messageId, emoji, isOn }) =>
    withChangedMessage(room, messageId, (message) => {
      const before = message.reactions ?? [];
      const after = withReaction(before, emoji, room.currentUsername, isOn);
      return after === before ? message : withReactions(message, after);
    }),
});

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
