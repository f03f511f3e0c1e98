import type { Message, Reaction } from '@parley/contract';
import type { Config } from '../config.ts';
import type { Reader } from '../storage/storage.ts';
import { toMessage, type MessageRow } from './message.wire.ts';
import { findReactions, type ReactionRow } from './reaction.repository.ts';

/** Converts reactions to a message, oldest first, to those that a viewer sees, grouped by emoji. */
export function toReactions(
  rows: readonly Omit<ReactionRow, 'message_id'>[],
  viewerId: string,
): Reaction[] {
  const names = new Map<string, string[]>();
  for (const { emoji, username, user_id: userId, withheld } of rows) {
    if (withheld === 1 && userId !== viewerId) continue;
    names.set(emoji, [...(names.get(emoji) ?? []), username]);
  }
  return [...names].map(([emoji, usernames]) => ({ emoji, usernames }));
}

/** Converts messages to the wire format, with the reactions that the viewer sees. */
export async function toMessages(
  config: Config,
  db: Reader,
  rows: readonly MessageRow[],
  viewerId: string,
): Promise<Message[]> {
  const found = await findReactions(
    db,
    rows.map(({ id }) => id),
  );
  const byMessage = Map.groupBy(found, (reaction) => reaction.message_id);
  return rows.map((row) =>
    toMessage(config, row, toReactions(byMessage.get(row.id) ?? [], viewerId)),
  );
}

/** A message as some of the members of its chatroom see it. */
export interface MessageView {
  message: Message;
  members: string[];
}

/** Returns the views of members on a message. Usually, all see the same. */
export function toViews(
  config: Config,
  row: MessageRow,
  reactions: readonly ReactionRow[],
  members: readonly string[],
): MessageView[] {
  if (reactions.every(({ withheld }) => withheld === 0)) {
    return [{ message: toMessage(config, row, toReactions(reactions, '')), members: [...members] }];
  }
  return members.map((userId) => ({
    message: toMessage(config, row, toReactions(reactions, userId)),
    members: [userId],
  }));
}
