import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runServer, serverFromSources, type RunningServer } from '@parley/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  createMemoryLocks,
  createMemoryStorageArea,
  findLoadedChatroom,
  type MemoryStorageArea,
  type StorageCollection,
} from '../src/index.ts';
import { signUp, type SignedInUser } from './signed-in-client.ts';

/** A record of the file. */
interface StoredRecord {
  readonly key: string;
  readonly value: unknown;
  readonly file?: { readonly type: string; readonly base64: string };
}

// What a client of API version 1 had stored when it was closed without a connection. Ids are placeholders.
const STORED = readFileSync(join(import.meta.dirname, 'stored-by-api-1.json'), 'utf8');

let server: RunningServer;
let ada: SignedInUser;
let bob: SignedInUser;
let chatroomId: string;
let area: MemoryStorageArea;

// The long timeout is for slow machines. The test does not depend on speed.
const until = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 20 });

beforeAll(async () => {
  server = await runServer({ PARLEY_RATE_LIMITS: 'false' }, serverFromSources);
  ada = await signUp(server, 'Ada');
  bob = await signUp(server, 'Bob');
  const first = { partnerName: 'Ada', content: 'from Bob' };
  ({ chatroomId } = await bob.api.call('createChatroom', { body: first }));
  await ada.api.call('acceptChat', { params: { id: chatroomId } });
  const sent = { chatroom: chatroomId, content: 'sent before' };
  await ada.api.call('sendMessage', { body: sent });
  area = await restore(await readMessages(ada));
});
afterAll(() => server.dispose());

async function readMessages(user: SignedInUser) {
  const page = await user.api.call('getChatroom', { params: { id: chatroomId } });
  return page.chatroomMessages;
}

/** Stores what the client had stored, with the ids of this server. */
async function restore(messages: readonly { _id: string }[]): Promise<MemoryStorageArea> {
  const json = messages
    .reduce((text, { _id }, i) => text.replaceAll(`{message ${i + 1}}`, _id), STORED)
    .replaceAll('{chatroom}', chatroomId)
    .replaceAll('"{now}"', String(Date.now()));
  const { records } = JSON.parse(json) as {
    records: Record<StorageCollection, StoredRecord[]>;
  };
  const restored = createMemoryStorageArea();
  const storage = restored.open();
  for (const [collection, all] of Object.entries(records)) {
    for (const { key, value, file } of all) {
      const blob = file && new Blob([Buffer.from(file.base64, 'base64')], { type: file.type });
      await storage.put(collection as StorageCollection, key, {
        value,
        ...(blob && { file: blob }),
      });
    }
  }
  storage.close();
  return restored;
}

test('what waited under API version 1 is sent, drafts stay, and the copy is replaced', async () => {
  const platform = { openStorage: async () => area.open(), locks: createMemoryLocks() };
  const client = ada.createClient({ platform });
  await client.open(chatroomId);
  await until(async () => {
    expect(client.outbox.getState().entries).toEqual([]);
    expect(client.outbox.getState().changes).toEqual([]);
    expect(await readMessages(bob)).toHaveLength(4);
  });
  const [first, , ...sent] = await readMessages(bob);
  expect(sent.map(({ kind }) => kind)).toEqual(['text', 'image']);
  expect(sent[0]).toMatchObject({
    content: 'written offline',
    replyTo: { messageId: first?._id },
  });
  expect(first?.reactions).toEqual([{ emoji: '👍', usernames: ['Ada'] }]);
  const { chat } = await ada.api.call('getChatroom', { params: { id: chatroomId } });
  expect(chat.settings).toEqual({ isPinned: true, pinRank: 1 });
  expect(client.drafts.getState().drafts).toEqual({
    [chatroomId]: { text: 'half a sentence', attachments: [] },
  });
  await until(() => {
    const room = findLoadedChatroom(client.rooms.getState(), chatroomId);
    expect(room?.messages.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    const chats = client.chats.getState().chats.map(({ last, isPinned }) => ({ last, isPinned }));
    expect(chats).toMatchObject([{ last: { seq: 4 }, isPinned: true }]);
  });
  client.dispose();
});
