import { API_VERSION, endpoints } from '@parley/contract';
import { runServer, serverFromSources, type RunningServer } from '@parley/testing';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  createMemoryLocks,
  createMemoryStorageArea,
  findLoadedChatroom,
  type Client,
  type ClientEvents,
} from '../src/index.ts';
import {
  startReplaceableServer,
  type Refuses,
  type ReplaceableServer,
} from './replaceable-server.ts';
import { signUp, type SignedInUser } from './signed-in-client.ts';

/** An image of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

// The long timeout is for slow machines. The tests do not depend on speed.
const until = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 20 });

let upstream: RunningServer;
let server: ReplaceableServer;
beforeAll(async () => {
  upstream = await runServer({ PARLEY_RATE_LIMITS: 'false' }, serverFromSources);
  server = await startReplaceableServer(upstream.url);
});
afterAll(async () => {
  await server.close();
  await upstream.dispose();
});
beforeEach(() => server.start());

const refusesChanges: Refuses = (method) => method !== 'GET';
const refusesAll: Refuses = (_method, path) => path !== endpoints.getConfig.path;

/** Everything that waits in the outbox of a client. */
const waiting = ({ outbox }: Client) => {
  const { entries, changes } = outbox.getState();
  return {
    entries: entries.map(({ clientId, content }) => ({ clientId, content })),
    states: new Set(entries.map(({ state }) => state)),
    changes: changes.map(({ key, value }) => ({ key, value })),
  };
};

test.each([
  ['no changes, and the tab stays open', refusesChanges, false],
  ['no changes, and the tab closes', refusesChanges, true],
  ['nothing, and the tab closes', refusesAll, true],
])(
  'a tab whose server is replaced by a newer one that accepts %s, loses nothing by a reload',
  async (_name, refuses, isClosed) => {
    const suffix = `${isClosed}${refuses === refusesAll}`;
    const users: SignedInUser[] = [];
    for (const user of ['Ada', 'Bob', 'Carol']) {
      users.push(await signUp({ ...upstream, url: server.url }, `${user}${suffix}`));
    }
    const [ada, bob, carol] = users;
    if (!ada || !bob || !carol) throw new Error('no users');
    const { chatroomId } = await bob.api.call('createChatroom', {
      body: { partnerName: ada.username, content: 'from Bob' },
    });
    await ada.api.call('acceptChat', { params: { id: chatroomId } });
    for (const content of ['to edit', 'to delete']) {
      await ada.api.call('sendMessage', { body: { chatroom: chatroomId, content } });
    }
    const area = createMemoryStorageArea();
    const openTab = (events: Partial<ClientEvents> = {}) => {
      const locks = createMemoryLocks();
      const client = ada.createClient({
        platform: { openStorage: async () => area.open(), locks },
        events,
      });
      onTestFinished(() => client.dispose());
      return client;
    };
    const onVersionMismatch = vi.fn<ClientEvents['onVersionMismatch']>();
    const onSendRefused = vi.fn<ClientEvents['onSendRefused']>();
    const onChangeFailed = vi.fn<ClientEvents['onChangeFailed']>();
    const tab = openTab({
      onVersionMismatch: (config) => {
        onVersionMismatch(config);
        // As the app does, which shows a page that offers to reload instead.
        if (isClosed) tab.dispose();
      },
      onSendRefused,
      onChangeFailed,
    });
    await tab.open(chatroomId);
    await until(() => expect(tab.connection.getState().status).toBe('online'));

    server.stop();
    await until(() => expect(tab.connection.getState().status).toBe('reconnecting'));
    const [fromBob, toEdit, toDelete] =
      findLoadedChatroom(tab.rooms.getState(), chatroomId)?.messages ?? [];
    if (!fromBob || !toEdit || !toDelete) throw new Error('the room is not loaded');
    tab.send(chatroomId, 'written before');
    tab.addMedia('image', chatroomId, new Blob([PIXEL], { type: 'image/png' }), 'pixel.png');
    tab.sendMedia('image', chatroomId);
    tab.sendFirstMessage(carol.username, 'Hello Carol');
    tab.edit(toEdit, 'edited');
    tab.remove(toDelete);
    tab.react(fromBob, '👍', true);
    tab.pin(chatroomId, true);
    const before = waiting(tab);
    expect([before.entries.length, before.changes.length]).toEqual([3, 4]);

    server.refused.length = 0;
    server.startNewer(refuses);
    await until(() => expect(onVersionMismatch).toHaveBeenCalled());
    expect(onVersionMismatch.mock.lastCall).toMatchObject([{ minApiVersion: API_VERSION + 1 }]);
    if (!isClosed) {
      // The tab tries everything.
      await until(() => expect(new Set(server.refused).size).toBeGreaterThanOrEqual(7));
      await until(() => expect(waiting(tab)).toEqual({ ...before, states: new Set(['waiting']) }));
    }
    expect(onSendRefused).not.toHaveBeenCalled();
    expect(onChangeFailed).not.toHaveBeenCalled();
    tab.dispose();

    // The newer client is one that the server supports.
    server.start();
    const reloaded = openTab();
    await reloaded.open(chatroomId);
    await until(() => {
      expect(reloaded.connection.getState().status).toBe('online');
      expect(waiting(reloaded)).toMatchObject({ entries: [], changes: [] });
    });
    const read = async (user: SignedInUser, id: string) =>
      (await user.api.call('getChatroom', { params: { id } })).chatroomMessages;
    expect(await read(bob, chatroomId)).toMatchObject([
      { content: 'from Bob', reactions: [{ emoji: '👍', usernames: [ada.username] }] },
      { content: 'edited' },
      { content: 'written before' },
      { kind: 'image' },
    ]);
    const { chatrooms } = await carol.api.call('listChats');
    expect(chatrooms).toMatchObject([{ lastMessage: { content: 'Hello Carol', seq: 1 } }]);
    const { chat } = await ada.api.call('getChatroom', { params: { id: chatroomId } });
    expect(chat.settings).toMatchObject({ isPinned: true });
  },
);
