import { sql, type Selectable } from 'kysely';
import { relationships, type Relationship } from '../storage/relationships.ts';
import type { Reader } from '../storage/storage.ts';
import { staticFind, staticWrite } from '../storage/static-query.ts';
import type { Consent } from '../storage/tables/chatrooms.table.ts';
import type { MessagesTable } from '../storage/tables/messages.table.ts';

/**
 * Allocates the next `seq` and `rev` of a chatroom and locks it for other writes. The write must be
 * rolled back if no message is inserted. Returns undefined if the chatroom does not exist.
 */
export const allocatePosition = staticWrite<{ chatroomId: string }, { seq: number; rev: number }>(
  (db, param) =>
    db
      .updateTable('chatrooms')
      .set((eb) => ({ last_seq: eb('last_seq', '+', 1), last_rev: eb('last_rev', '+', 1) }))
      .where('id', '=', param('chatroomId'))
      .returning(['last_seq as seq', 'last_rev as rev']),
);

/** A chatroom with everything needed to send a message to it. */
interface SendingChatroom extends Pick<
  Relationship,
  | 'consent'
  | 'blocked_at'
  | 'partner_id'
  | 'partner_consent'
  | 'partner_is_quiet'
  | 'partner_blocked_at'
  | 'partner_who_may_write'
> {
  id: string;
  /** Read position of the sender. */
  read_seq: number;
  username: string;
  /** Id of the message that the sender has already sent with this `clientId`. */
  earlier_id: string | null;
  /** Number of messages of the sender that were counted on the day. */
  counted: number | null;
}

/** Finds the chatroom to send a message to. Returns undefined if the user is not a member. */
export const findSendingChatroom = staticFind<
  { chatroomId: string; userId: string; clientId: string | null; day: number },
  SendingChatroom
>((db, param) =>
  relationships(db)
    .select((eb) => [
      'me.chatroom_id as id',
      'me.read_seq',
      'me_user.username',
      'me.consent',
      'me.blocked_at',
      'partner_user.id as partner_id',
      'partner.consent as partner_consent',
      'partner.is_quiet as partner_is_quiet',
      'partner.blocked_at as partner_blocked_at',
      'partner_user.who_may_write as partner_who_may_write',
      eb
        .selectFrom('messages')
        .select('messages.id')
        .where('messages.sender_id', '=', param('userId'))
        .where('messages.client_id', '=', param('clientId'))
        .as('earlier_id'),
      eb
        .selectFrom('message_counts')
        .select('message_counts.sent')
        .where('message_counts.user_id', '=', param('userId'))
        .where('message_counts.day', '=', param('day'))
        .as('counted'),
    ])
    .where('me.chatroom_id', '=', param('chatroomId'))
    .where('me.user_id', '=', param('userId')),
);

type NewMessage = Omit<Selectable<MessagesTable>, 'deleted_at'>;

/** Inserts a message with its allocated `seq` and `rev`. */
export const insertMessage = staticWrite<NewMessage, unknown>((db, param) =>
  db.insertInto('messages').values({
    id: param('id'),
    chatroom_id: param('chatroom_id'),
    seq: param('seq'),
    rev: param('rev'),
    sender_id: param('sender_id'),
    kind: param('kind'),
    content: param('content'),
    media_id: param('media_id'),
    client_id: param('client_id'),
    created_at: param('created_at'),
    updated_at: param('updated_at'),
    deleted_at: null,
    withheld: param('withheld'),
    album_id: param('album_id'),
    is_forwarded: param('is_forwarded'),
    reply_to_id: param('reply_to_id'),
    active_at: param('active_at'),
  }),
);

/** Sets a member's read position. */
export const setReadSeq = staticWrite<{ chatroomId: string; userId: string; seq: number }, unknown>(
  (db, param) =>
    db
      .updateTable('chatroom_members')
      .set({ read_seq: param('seq') })
      .where('chatroom_id', '=', param('chatroomId'))
      .where('user_id', '=', param('userId')),
);

/** Makes a member accept messages of the partner. */
export const acceptPartner = staticWrite<{ chatroomId: string; userId: string }, unknown>(
  (db, param) =>
    db
      .updateTable('chatroom_members')
      .set({ consent: 'accepted' })
      .where('chatroom_id', '=', param('chatroomId'))
      .where('user_id', '=', param('userId')),
);

/**
 * Makes the chat of a member who has not accepted it a request or an undecided one, unless the new message is
 * withheld. Runs for withheld messages and existing requests as well, so that they take the same time.
 */
export const markAsUnaccepted = staticWrite<
  {
    chatroomId: string;
    userId: string;
    withheld: 0 | 1;
    isQuiet: 0 | 1;
  },
  unknown
>((db, param) =>
  db
    .updateTable('chatroom_members')
    .set({
      consent: sql<Consent>`case when cast(${param('withheld')} as bigint) = 0 then 'requested' else consent end`,
      is_quiet: param('isQuiet'),
      // A quiet request cannot be pinned. Its pin would count, and nothing could take it back.
      is_pinned: sql<number>`case when cast(${param('isQuiet')} as bigint) = 1 then 0 else is_pinned end`,
    })
    .where('chatroom_id', '=', param('chatroomId'))
    .where('user_id', '=', param('userId')),
);

/** An upload that has not been sent yet. */
export interface UnusedUpload {
  id: string;
  kind: 'image' | 'audio';
  file: string;
  width: number | null;
  height: number | null;
  is_blocked: number;
  duration_ms: number | null;
  peaks: Buffer | null;
}

/** Finds an upload of the owner, unless a message already uses it. */
export function findUnusedUpload(
  db: Reader,
  ownerId: string,
  id: string,
): Promise<UnusedUpload | undefined> {
  return db
    .selectFrom('media')
    .select(['id', 'kind', 'file', 'width', 'height', 'is_blocked', 'duration_ms', 'peaks'])
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('messages')
            .select('messages.id')
            .whereRef('messages.media_id', '=', 'media.id'),
        ),
      ),
    )
    .executeTakeFirst();
}
