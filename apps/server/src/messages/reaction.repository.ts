import { sql } from 'kysely';
import type { Reader, Writer } from '../storage/storage.ts';
import { textsOf } from '../storage/expressions.ts';
import { staticSelect, staticWrite } from '../storage/static-query.ts';

/** A reaction to a message, with the name of its user. */
export interface ReactionRow {
  message_id: string;
  user_id: string;
  username: string;
  emoji: string;
  created_at: number;
  /** 1 if only its user sees it. */
  withheld: number;
}

const selectReactions = staticSelect<{ messageIds: string }, ReactionRow>((db, param) =>
  db
    .selectFrom('reactions as reaction')
    .innerJoin('users as user', 'user.id', 'reaction.user_id')
    .select([
      'reaction.message_id',
      'reaction.user_id',
      'user.username',
      'reaction.emoji',
      'reaction.created_at',
      'reaction.withheld',
    ])
    .where('reaction.message_id', 'in', textsOf(param('messageIds')))
    .where('user.ended_at', 'is', null),
);

/** Returns all reactions to messages, also those that not everyone sees, oldest first. */
export async function findReactions(
  db: Reader,
  messageIds: readonly string[],
): Promise<ReactionRow[]> {
  if (messageIds.length === 0) return [];
  const rows = await selectReactions(db, { messageIds: JSON.stringify(messageIds) });
  // Faster here than in SQLite. The emoji orders reactions of the same time, as an archive may contain them.
  return rows.toSorted(
    (a, b) => a.created_at - b.created_at || (a.emoji < b.emoji ? -1 : Number(a.emoji > b.emoji)),
  );
}

/** A reaction to insert. */
export type NewReaction = Omit<ReactionRow, 'username'>;

/** Inserts a reaction that does not exist yet. */
export const insertReaction = staticWrite<NewReaction, unknown>((db, param) =>
  db.insertInto('reactions').values({
    message_id: param('message_id'),
    user_id: param('user_id'),
    emoji: param('emoji'),
    created_at: param('created_at'),
    withheld: param('withheld'),
  }),
);

type ReactionKey = Pick<ReactionRow, 'message_id' | 'user_id' | 'emoji'>;

/** Deletes a reaction. */
export const deleteReaction = staticWrite<ReactionKey, unknown>((db, param) =>
  db
    .deleteFrom('reactions')
    .where('message_id', '=', param('message_id'))
    .where('user_id', '=', param('user_id'))
    .where('emoji', '=', param('emoji')),
);

/** Sets the revision of a message whose reactions changed. */
export const setRev = staticWrite<{ id: string; rev: number }, unknown>((db, param) =>
  db
    .updateTable('messages')
    .set({ rev: param('rev') })
    .where('id', '=', param('id')),
);

/** The member who is shown a reaction in the chat list, and the reaction. */
interface ShownReaction {
  chatroomId: string;
  /** The sender of the message. */
  memberId: string;
  messageId: string;
  emoji: string;
  now: number;
  withheld: number;
}

/** Records a member's latest reaction of the partner, unless the reaction is withheld. */
export const setLatestReaction = staticWrite<ShownReaction, unknown>((db, param) => {
  // The statement is the same for a withheld reaction, so that it takes the same time.
  const isShown = sql<boolean>`cast(${param('withheld')} as bigint) = 0`;
  return db
    .updateTable('chatroom_members')
    .set({
      reaction_message_id: sql<string>`case when ${isShown} then ${param('messageId')} else reaction_message_id end`,
      reaction_emoji: sql<string>`case when ${isShown} then ${param('emoji')} else reaction_emoji end`,
      reaction_at: sql<number>`case when ${isShown} then cast(${param('now')} as bigint) else reaction_at end`,
      reaction_seq: sql<number>`case when ${isShown} then
        (select last_seq from chatrooms where chatrooms.id = chatroom_members.chatroom_id)
        else reaction_seq end`,
    })
    .where('chatroom_id', '=', param('chatroomId'))
    .where('user_id', '=', param('memberId'));
});

/** Removes a reaction that was taken back as a member's latest one. */
export const clearLatestReaction = staticWrite<Omit<ShownReaction, 'now' | 'withheld'>, unknown>(
  (db, param) => {
    const isLatest = sql<boolean>`(reaction_message_id = ${param('messageId')}
      and reaction_emoji = ${param('emoji')})`;
    // Writes the row in any case, so that it takes the same time if the reaction was withheld.
    const unlessLatest = (name: string) =>
      sql<null>`case when ${isLatest} then null else ${sql.ref(name)} end`;
    return db
      .updateTable('chatroom_members')
      .set({
        reaction_message_id: unlessLatest('reaction_message_id'),
        reaction_emoji: unlessLatest('reaction_emoji'),
        reaction_at: unlessLatest('reaction_at'),
        reaction_seq: unlessLatest('reaction_seq'),
      })
      .where('chatroom_id', '=', param('chatroomId'))
      .where('user_id', '=', param('memberId'));
  },
);

const deleteOfMessage = staticWrite<{ messageId: string }, unknown>((db, param) =>
  db.deleteFrom('reactions').where('message_id', '=', param('messageId')),
);

const clearLatestOfMessage = staticWrite<{ chatroomId: string; messageId: string }, unknown>(
  (db, param) =>
    db
      .updateTable('chatroom_members')
      .set({
        reaction_message_id: null,
        reaction_emoji: null,
        reaction_at: null,
        reaction_seq: null,
      })
      .where('chatroom_id', '=', param('chatroomId'))
      .where('reaction_message_id', '=', param('messageId')),
);

/** Deletes everything that refers to the reactions to a message. */
export async function deleteReactionsTo(
  trx: Writer,
  chatroomId: string,
  messageId: string,
): Promise<void> {
  await deleteOfMessage(trx, { messageId });
  await clearLatestOfMessage(trx, { chatroomId, messageId });
}
