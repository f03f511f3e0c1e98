import { sql } from 'kysely';
import { relationships, type Relationship } from '../storage/relationships.ts';
import type { Reader, Writer } from '../storage/storage.ts';
import { staticSelect, staticWrite } from '../storage/static-query.ts';
import type { Consent } from '../storage/tables/chatrooms.table.ts';
import type { MessageRow } from './message.repository.ts';

const incrementCounters = staticWrite<
  { chatroomId: string },
  { last_seq: number; last_rev: number }
>((db, param) =>
  db
    .updateTable('chatrooms')
    .set((eb) => ({ last_seq: eb('last_seq', '+', 1), last_rev: eb('last_rev', '+', 1) }))
    .where('id', '=', param('chatroomId'))
    .returning(['last_seq', 'last_rev']),
);

/**
 * Allocates the next `seq` and `rev` of a chatroom and locks it for other writes. The write must be
 * rolled back if no message is inserted. Returns undefined if the chatroom does not exist.
 */
export async function allocatePosition(
  trx: Writer,
  chatroomId: string,
): Promise<{ seq: number; rev: number } | undefined> {
  const [row] = (await incrementCounters(trx, { chatroomId })).rows;
  return row && { seq: row.last_seq, rev: row.last_rev };
}

/** A chatroom with everything needed to send a message to it. */
export interface SendingChatroom extends Pick<
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
}

const selectSendingChatroom = staticSelect<
  { chatroomId: string; userId: string; clientId: string | null },
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
    ])
    .where('me.chatroom_id', '=', param('chatroomId'))
    .where('me.user_id', '=', param('userId')),
);

/** Finds the chatroom to send a message to. Returns undefined if the user is not a member. */
export async function findSendingChatroom(
  db: Reader,
  chatroomId: string,
  userId: string,
  clientId: string | null,
): Promise<SendingChatroom | undefined> {
  const { rows } = await selectSendingChatroom(db, { chatroomId, userId, clientId });
  return rows[0];
}

interface NewMessage {
  id: string;
  chatroomId: string;
  seq: number;
  rev: number;
  senderId: string;
  kind: MessageRow['kind'];
  content: string;
  mediaId: string | null;
  clientId: string | null;
  now: number;
  /** 1 if only the sender sees the message. */
  withheld: 0 | 1;
  albumId: string | null;
  isForwarded: 0 | 1;
  /** The message that it replies to. */
  replyToId: string | null;
}

const insertRow = staticWrite<NewMessage, unknown>((db, param) =>
  db.insertInto('messages').values({
    id: param('id'),
    chatroom_id: param('chatroomId'),
    seq: param('seq'),
    rev: param('rev'),
    sender_id: param('senderId'),
    kind: param('kind'),
    content: param('content'),
    media_id: param('mediaId'),
    client_id: param('clientId'),
    created_at: param('now'),
    updated_at: param('now'),
    deleted_at: null,
    withheld: param('withheld'),
    album_id: param('albumId'),
    is_forwarded: param('isForwarded'),
    reply_to_id: param('replyToId'),
  }),
);

/** Inserts a message with its allocated `seq` and `rev`. */
export async function insertMessage(trx: Writer, message: NewMessage): Promise<void> {
  await insertRow(trx, message);
}

const updateReadSeq = staticWrite<{ chatroomId: string; userId: string; seq: number }, unknown>(
  (db, param) =>
    db
      .updateTable('chatroom_members')
      .set({ read_seq: param('seq') })
      .where('chatroom_id', '=', param('chatroomId'))
      .where('user_id', '=', param('userId')),
);

/** Sets a member's read position. */
export async function setReadSeq(
  trx: Writer,
  chatroomId: string,
  userId: string,
  seq: number,
): Promise<void> {
  await updateReadSeq(trx, { chatroomId, userId, seq });
}

const updateConsent = staticWrite<
  { chatroomId: string; userId: string; consent: Consent },
  unknown
>((db, param) =>
  db
    .updateTable('chatroom_members')
    .set({ consent: param('consent') })
    .where('chatroom_id', '=', param('chatroomId'))
    .where('user_id', '=', param('userId')),
);

/** Sets a member's consent to messages of the partner. */
export async function setConsent(
  trx: Writer,
  chatroomId: string,
  userId: string,
  consent: Consent,
): Promise<void> {
  await updateConsent(trx, { chatroomId, userId, consent });
}

/** How a message arrives at a member who has not accepted the sender. */
interface UnacceptedMessage {
  withheld: 0 | 1;
  isQuiet: 0 | 1;
}

const updateUnaccepted = staticWrite<
  { chatroomId: string; userId: string; withheld: number; isQuiet: number },
  unknown
>((db, param) =>
  db
    .updateTable('chatroom_members')
    .set({
      consent: sql<Consent>`case when cast(${param('withheld')} as bigint) = 0 then 'requested' else consent end`,
      is_quiet: param('isQuiet'),
      // A quiet request cannot be pinned. Its pin would count, and nothing could take it back.
      is_pinned: sql<number>`case when cast(${param('isQuiet')} as bigint) = 1 then 0 else is_pinned end`,
      settings_version: sql<number>`settings_version + case when cast(${param('isQuiet')} as bigint) = 1 then is_pinned else 0 end`,
    })
    .where('chatroom_id', '=', param('chatroomId'))
    .where('user_id', '=', param('userId')),
);

/**
 * Makes the chat of a member who has not accepted it a request or an undecided one, unless the new message is
 * withheld. Runs for withheld messages and existing requests as well, so that they take the same time.
 */
export async function markAsUnaccepted(
  trx: Writer,
  chatroomId: string,
  userId: string,
  message: UnacceptedMessage,
): Promise<void> {
  await updateUnaccepted(trx, { chatroomId, userId, ...message });
}

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
