import { LIMITS } from '@parley/contract';
import { textsOf } from '../storage/expressions.ts';
import type { Reader, Writer } from '../storage/storage.ts';

/** Finds the chatrooms with a notification on a device whose messages the user has read since. */
export async function findReadChatrooms(db: Reader, sessionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('push_shown as shown')
    .innerJoin('push_subscriptions as device', 'device.session_id', 'shown.session_id')
    .innerJoin('chatroom_members as me', (join) =>
      join
        .onRef('me.chatroom_id', '=', 'shown.chatroom_id')
        .onRef('me.user_id', '=', 'device.user_id'),
    )
    .select('shown.chatroom_id')
    .where('shown.session_id', '=', sessionId)
    .where((eb) =>
      eb.or([
        eb('me.read_seq', '>=', eb.ref('shown.seq')),
        eb('me.cleared_seq', '>=', eb.ref('shown.seq')),
        eb('me.blocked_at', 'is not', null),
      ]),
    )
    .orderBy('shown.chatroom_id')
    .limit(LIMITS.pushReadMax)
    .execute();
  return rows.map(({ chatroom_id }) => chatroom_id);
}

/** Finds those of some chatrooms for which a device shows a notification of messages. */
export async function findShown(
  db: Reader,
  sessionId: string,
  chatroomIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('push_shown')
    .select('chatroom_id')
    .where('session_id', '=', sessionId)
    .where('chatroom_id', 'in', textsOf(JSON.stringify(chatroomIds)))
    .execute();
  return new Set(rows.map(({ chatroom_id }) => chatroom_id));
}

/** Records which notifications a device shows: that of a chatroom, and no longer those of read ones. */
export async function recordShown(
  trx: Writer,
  sessionId: string,
  shown: { chatroomId: string; seq: number } | undefined,
  closed: readonly string[],
): Promise<void> {
  if (closed.length > 0) {
    await trx
      .deleteFrom('push_shown')
      .where('session_id', '=', sessionId)
      .where('chatroom_id', 'in', textsOf(JSON.stringify(closed)))
      .execute();
  }
  if (shown === undefined) return;
  const { chatroomId, seq } = shown;
  await trx
    .insertInto('push_shown')
    .values({ session_id: sessionId, chatroom_id: chatroomId, seq })
    .onConflict((conflict) => conflict.columns(['session_id', 'chatroom_id']).doUpdateSet({ seq }))
    .execute();
}
