import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../src/storage/ids.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createTestClient } from '../harness.ts';
import { defineAttack } from './attack.ts';

const MESSAGES = 100_000;
const CHATROOMS = 1_000;
/** Milliseconds between the partner's reads during the erasure. */
const PAUSE = 200;
/** Rows per statement. */
const ROWS = 500;

/** Reads the chat list and the largest page of a very large account, then deletes the account. */
export const largeAccount = defineAttack({
  summary: 'an account with 100,000 messages and 1,000 chatrooms reads them and deletes itself',
  async prepare(server) {
    const { storage } = server.ctx;
    const owner = await server.signIn('Owner');
    const partner = await server.signIn('Partner');
    const history = await addChatroom(storage, owner.id, partner.id);
    await addMessages(storage, history, owner.id, MESSAGES, 'x'.repeat(120));
    const other = await server.signIn('Other');
    const long = await addChatroom(storage, owner.id, other.id);
    await addMessages(storage, long, owner.id, 300, '😀'.repeat(10_000));
    for (let i = 0; i < CHATROOMS; i++) {
      const friend = await server.signIn(`Friend${i}`);
      const chatroom = await addChatroom(storage, owner.id, friend.id);
      await addMessages(storage, chatroom, friend.id, 2, 'y'.repeat(1_000));
    }
    return { owner: owner.cookie, partner: partner.cookie, history, long };
  },
  async run({ url, prepared, signal }) {
    const owner = createTestClient(url, prepared.owner);
    const partner = createTestClient(url, prepared.partner);
    let responses = 0;
    const get = async (client: typeof owner, path: string) => {
      const { status } = await client.request('GET', path);
      if (status !== 200) throw new Error(`${path} responded with ${status}`);
      responses += 1;
    };
    for (let i = 0; i < 5 && !signal.aborted; i++) {
      await get(owner, '/api/chatrooms/chats');
      await get(owner, `/api/chatrooms/chats/${prepared.long}?limit=200`);
    }
    const { status } = await owner.request('DELETE', '/api/users/delete');
    while (!signal.aborted) {
      await sleep(PAUSE);
      await get(partner, '/api/chatrooms/chats');
      await get(partner, `/api/chatrooms/chats/${prepared.history}?limit=200`);
    }
    return { responses, deletion: status };
  },
});

async function addChatroom(storage: Storage, a: string, b: string): Promise<string> {
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

async function addMessages(
  storage: Storage,
  chatroomId: string,
  senderId: string,
  count: number,
  content: string,
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
      content,
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
