import { setTimeout as sleep } from 'node:timers/promises';
import { createTestClient } from '../harness.ts';
import { defineAttack } from './attack.ts';
import { addChatroom, addMessages } from './bulk-data.ts';

const MESSAGES = 100_000;
const CHATROOMS = 1_000;
/** Milliseconds between the partner's reads during the erasure. */
const PAUSE = 200;

/** Reads the chat list and the largest page of a very large account, then deletes the account. */
export const largeAccount = defineAttack({
  summary: 'an account with 100,000 messages and 1,000 chatrooms reads them and deletes itself',
  async prepare(server) {
    const { storage } = server.ctx;
    const owner = await server.signIn('Owner');
    const partner = await server.signIn('Partner');
    const history = await addChatroom(storage, owner.id, partner.id);
    await addMessages(storage, history, owner.id, MESSAGES, 'x'.repeat(120));
    // No message of the owner takes the chat out of the partner's archive.
    await storage.write(({ trx }) =>
      trx
        .updateTable('chatroom_members')
        .set({ archived_seq: 1, muted_until: Date.parse('9999-12-31T23:59:59.999Z') })
        .where('chatroom_id', '=', history)
        .where('user_id', '=', partner.id)
        .execute(),
    );
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
