import { LIMITS } from '@parley/contract';
import { sql } from 'kysely';
import { selectExcerpt, textsOf } from '../storage/expressions.ts';
import { newId } from '../storage/ids.ts';
import { CONDITIONS, relationships } from '../storage/relationships.ts';
import type { Reader, Writer } from '../storage/storage.ts';
import { staticSelect } from '../storage/static-query.ts';
import type { PushQueueTable } from '../storage/tables/notifications.table.ts';
import { isVisibleToPartner, isVisibleToSender } from '../storage/visibility.ts';

type Kind = PushQueueTable['kind'];

/** Something that a user may have to be notified of. */
export interface PushEvent {
  userId: string;
  chatroomId: string;
  kind: Kind;
  /** The `seq` of a message, or the time of a reaction or of an accepted invitation. */
  position: number;
}

interface RecipientRow {
  chatroom_id: string;
  seq: number;
  user_id: string;
}

const selectRecipients = staticSelect<{ messageIds: string; now: number }, RecipientRow>(
  (db, param) =>
    db
      .selectFrom('messages as message')
      .innerJoin('chatroom_members as me', (join) =>
        join
          .onRef('me.chatroom_id', '=', 'message.chatroom_id')
          .onRef('me.user_id', '<>', 'message.sender_id'),
      )
      .select(['message.chatroom_id', 'message.seq', 'me.user_id'])
      .where('message.id', 'in', textsOf(param('messageIds')))
      .where('message.deleted_at', 'is', null)
      .where(isVisibleToPartner('message', 'me'))
      .where(CONDITIONS.isReceiving('me'))
      .where((eb) =>
        eb.or([eb('me.muted_until', 'is', null), eb('me.muted_until', '<=', param('now'))]),
      )
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('push_subscriptions')
            .select('push_subscriptions.session_id')
            .whereRef('push_subscriptions.user_id', '=', 'me.user_id'),
        ),
      ),
);

/** Finds the recipients with push messages of those messages that they see in chats that are not muted. */
export async function findRecipients(
  db: Reader,
  messageIds: readonly string[],
  now: number,
): Promise<PushEvent[]> {
  const values = { messageIds: JSON.stringify(messageIds), now };
  const rows = await selectRecipients(db, values);
  return rows.map((row) => ({
    userId: row.user_id,
    chatroomId: row.chatroom_id,
    kind: 'message',
    position: row.seq,
  }));
}

/**
 * Queues a notification for each device of its user. If one of the chatroom is already queued, it is
 * extended instead, and stays due when it was.
 */
export async function queuePushes(
  trx: Writer,
  pushes: readonly { event: PushEvent; dueAt: number }[],
  now: number,
): Promise<void> {
  const userIds = JSON.stringify(pushes.map(({ event }) => event.userId));
  const devices = await trx
    .selectFrom('push_subscriptions')
    .select(['session_id', 'user_id'])
    .where('user_id', 'in', textsOf(userIds))
    .execute();
  const rows = pushes.flatMap(({ event: { userId, chatroomId, kind, position }, dueAt }) =>
    devices
      .filter((device) => device.user_id === userId)
      .map((device) => ({
        id: newId(),
        session_id: device.session_id,
        chatroom_id: chatroomId,
        kind,
        since: position,
        latest: position,
        created_at: now,
        due_at: dueAt,
      })),
  );
  // In the same order in every process, so that writes do not wait for each other.
  const key = (row: (typeof rows)[number]) => `${row.session_id}${row.chatroom_id}${row.kind}`;
  for (const row of rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))) {
    await trx
      .insertInto('push_queue')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['session_id', 'chatroom_id', 'kind']).doUpdateSet({
          since: sql`case when push_queue.since > excluded.since then excluded.since else push_queue.since end`,
          latest: sql`case when push_queue.latest < excluded.latest then excluded.latest else push_queue.latest end`,
        }),
      )
      .execute();
  }
}

/** A queued notification with everything that decides whether and how it is sent. */
export type DuePush = Awaited<ReturnType<typeof findDuePushes>>[number];

/**
 * Finds queued notifications that are due, those due earliest first. Columns of the partner or of a
 * reaction are null if there is none any more.
 */
export function findDuePushes(db: Reader, now: number, limit: number) {
  return relationships(db)
    .innerJoin('push_queue as queued', 'queued.chatroom_id', 'me.chatroom_id')
    .innerJoin('push_subscriptions as device', (join) =>
      join
        .onRef('device.session_id', '=', 'queued.session_id')
        .onRef('device.user_id', '=', 'me.user_id'),
    )
    .innerJoin('sessions as session', 'session.id', 'queued.session_id')
    .leftJoin('notification_settings as settings', 'settings.user_id', 'me.user_id')
    .leftJoin('messages as reacted', (join) =>
      join
        .onRef('reacted.id', '=', 'me.reaction_message_id')
        .on('reacted.deleted_at', 'is', null)
        .on(isVisibleToSender('reacted', 'me')),
    )
    .leftJoin('push_shown as shown', (join) =>
      join
        .onRef('shown.session_id', '=', 'queued.session_id')
        .onRef('shown.chatroom_id', '=', 'queued.chatroom_id'),
    )
    .selectAll('queued')
    .select([
      'shown.seq as shown_seq',
      'device.user_id',
      'device.endpoint',
      'device.p256dh',
      'device.auth',
      'device.site',
      'device.succeeded_at',
      'device.failing_since',
      'session.expires_at as session_expires_at',
      'me_user.username',
      'me_user.language',
      'me_user.volume',
      'me_user.suspended_at',
      'settings.version',
      'settings.content',
      'settings.quiet_from',
      'settings.quiet_to',
      'settings.quiet_zone',
      'settings.quiet_only_sound',
      'settings.paused_until',
      'me.consent',
      'me.is_quiet',
      'me.blocked_at',
      'me.muted_until',
      'me.read_seq',
      'me.is_marked_unread',
      'me.invitation_accepted_at',
      'me.reaction_emoji',
      'me.reaction_at',
      'reacted.seq as reacted_seq',
      'reacted.kind as reacted_kind',
      selectExcerpt<string | null>('reacted.content', LIMITS.pushExcerpt + 1).as('reacted_content'),
      'partner_user.id as partner_id',
      'partner_user.username as partner_name',
    ])
    .where('queued.due_at', '<=', now)
    .orderBy('queued.due_at')
    .limit(limit)
    .execute();
}

/** Returns when the next notification is due, or undefined if none is queued. */
export async function findNextDue(db: Reader): Promise<number | undefined> {
  const row = await db
    .selectFrom('push_queue')
    .select('due_at')
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return row?.due_at;
}

/**
 * Claims those notifications that are still due, by making them due later. Returns their ids. Only one
 * of several concurrent writes claims a notification.
 */
export async function claimPushes(
  trx: Writer,
  ids: readonly string[],
  now: number,
  until: number,
): Promise<ReadonlySet<string>> {
  const claimed = await trx
    .updateTable('push_queue')
    .set({ due_at: until })
    .where('id', 'in', textsOf(JSON.stringify(ids)))
    .where('due_at', '<=', now)
    .returning('id')
    .execute();
  return new Set(claimed.map(({ id }) => id));
}

/** Makes notifications due at another time. */
export async function postponePushes(
  trx: Writer,
  ids: readonly string[],
  dueAt: number,
): Promise<void> {
  await trx
    .updateTable('push_queue')
    .set({ due_at: dueAt })
    .where('id', 'in', textsOf(JSON.stringify(ids)))
    .execute();
}

/** Records a failed attempt. */
export async function retryPush(trx: Writer, id: string, dueAt: number): Promise<void> {
  await trx
    .updateTable('push_queue')
    .set((eb) => ({ due_at: dueAt, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/**
 * Removes a notification that was sent or is not to be sent. If it was extended in the meantime, the rest
 * stays and is due at `dueAt`. Returns whether there is a rest.
 */
export async function finishPush(
  trx: Writer,
  { id, latest }: Pick<PushQueueTable, 'id' | 'latest'>,
  dueAt: number,
): Promise<boolean> {
  await trx.deleteFrom('push_queue').where('id', '=', id).where('latest', '<=', latest).execute();
  const { numUpdatedRows } = await trx
    .updateTable('push_queue')
    .set({ since: latest + 1, created_at: dueAt, due_at: dueAt, attempts: 0 })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Counts the queued notifications. */
export async function countPushes(db: Reader): Promise<number> {
  const { count } = await db
    .selectFrom('push_queue')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
