import { newId } from '../../src/storage/ids.ts';
import type { Storage } from '../../src/storage/storage.ts';

/** Rows per statement. */
const ROWS = 500;

/** Adds a chatroom of two users, without messages. Returns its id. */
export async function addChatroom(storage: Storage, a: string, b: string): Promise<string> {
  const id = newId();
  await storage.write(async ({ trx }) => {
    await trx
      .insertInto('chatrooms')
      .values({ id, pair_key: `${a}:${b}`, last_seq: 0, last_rev: 0, created_at: Date.now() })
      .execute();
    const members = [a, b].map((user_id) => ({ chatroom_id: id, user_id, read_seq: 0 }));
    await trx.insertInto('chatroom_members').values(members).execute();
  });
  return id;
}

/** Adds the first `count` messages of a chatroom, all with the same sender. `content` is that of each, or creates it. */
export async function addMessages(
  storage: Storage,
  chatroomId: string,
  senderId: string,
  count: number,
  content: string | ((index: number) => string),
): Promise<void> {
  const now = Date.now();
  for (let seq = 0; seq < count; seq += ROWS) {
    const rows = Array.from({ length: Math.min(ROWS, count - seq) }, (_, i) => ({
      id: newId(),
      chatroom_id: chatroomId,
      seq: seq + i + 1,
      rev: seq + i + 1,
      sender_id: senderId,
      kind: 'text' as const,
      content: typeof content === 'string' ? content : content(seq + i),
      media_id: null,
      client_id: newId(),
      created_at: now,
      updated_at: now,
      deleted_at: null,
    }));
    await storage.write(({ trx }) => trx.insertInto('messages').values(rows).execute());
  }
  const last = { last_seq: count, last_rev: count };
  await storage.write(({ trx }) =>
    trx.updateTable('chatrooms').set(last).where('id', '=', chatroomId).execute(),
  );
}
