import { endpoints } from '@parley/contract';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createOutboxContext } from '../../../test/create-outbox-context.ts';
import { createChatState } from '../../../test/create-chat-state.ts';
import { ApiError, createApiClient } from '../../api/client.ts';
import { createHeadlessPlatform, createMemoryLocks } from '../../headless-platform.ts';
import { createMemoryStorageArea, type MemoryStorageArea } from '../../storage/memory-storage.ts';
import { openUserStorage } from '../../storage/open-storage.ts';
import { DEFAULT_TIMING, type ClientTiming } from '../../timing.ts';
import { createOutboxStore, type OutboxState } from '../outbox-store.ts';
import { createOutbox, type Outbox } from '../outbox.ts';
import type { Change } from './change.ts';
import { chatSettingsChange } from './chat-settings.ts';
import { chatStatus } from './chat-status.ts';
import { deletion } from './deletion.ts';
import { edit } from './edit.ts';
import { readPosition } from './read-position.ts';

const TIMING = { ...DEFAULT_TIMING, sendRetryMin: 1, sendRetryMax: 2 };
const PATIENCE = { timeout: 30_000, interval: 1 };
/** Milliseconds in which an attempt would be made that is not expected. */
const UNEXPECTED_MS = 30;

/** A tab that sends changes. */
interface ChangesTab extends Outbox {
  state: () => OutboxState;
  erase: () => Promise<void>;
  close: () => void;
  /** The sent read positions, and the paths of other requests, in order. */
  sent: unknown[];
  /** The chatrooms that were fetched again after a refusal. */
  refused: string[];
  /** What has failed, and the code, in order. */
  failed: string[];
  /** What another tab has sent. */
  settled: Change[];
}

let area: MemoryStorageArea;
let locks: ReturnType<typeof createMemoryLocks>;
let tabs: ChangesTab[];
/** Responds to a request of any tab. */
let respond: (request: { path: string; seq: number | undefined }) => Response | Promise<Response>;
/** Whether the session belongs to the user. */
let confirm: () => Promise<void>;

const accept = (): Response => Response.json({ chat: createChatState() });
const refuse = (status: number, code: string) => (): Response =>
  Response.json({ errorMessage: 'no', code }, { status });
const offline = (): never => {
  throw new TypeError('fetch failed');
};

beforeEach(() => {
  area = createMemoryStorageArea();
  locks = createMemoryLocks();
  tabs = [];
  respond = accept;
  confirm = () => Promise.resolve();
});
afterEach(() => {
  for (const tab of tabs) tab.close();
});

function openTab(username = 'ada', timing: Partial<ClientTiming> = {}): ChangesTab {
  const closing = new AbortController();
  const [refused, failed]: [string[], string[]] = [[], []];
  const platform = createHeadlessPlatform(undefined, {
    locks,
    openStorage: async () => area.open(),
    upload: () => new Promise(() => undefined),
    logFailure: (what, error) =>
      failed.push(`${what} ${error instanceof ApiError ? error.code : ''}`),
  });
  const opened = Promise.resolve(area.open());
  const settled: Change[] = [];
  const outboxStore = createOutboxStore({
    platform,
    username,
    opened,
    signal: new AbortController().signal,
    onRead: () => outbox.flush(),
    onSettledElsewhere: (change) => settled.push(change),
  });
  const sent: unknown[] = [];
  const api = createApiClient({
    origin: 'http://localhost',
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const path = new URL(request.url).pathname;
      const body = request.method === 'POST' ? await request.text() : '';
      const { seq } = (body ? JSON.parse(body) : {}) as { seq?: number };
      sent.push(seq ?? path);
      return respond({ path, seq });
    },
  });
  const outbox = createOutbox(
    createOutboxContext(
      { api, platform, opened, outbox: outboxStore, signal: closing.signal },
      { timing: { ...TIMING, ...timing }, refetchChat: (chatroomId) => refused.push(chatroomId) },
    ),
    outboxStore,
    () => confirm(),
  );
  const tab: ChangesTab = {
    ...outbox,
    state: outboxStore.store.getState,
    erase: outboxStore.erase,
    close: () => closing.abort(),
    sent,
    refused,
    failed,
    settled,
  };
  tabs.push(tab);
  return tab;
}

const until = (check: () => void | Promise<void>) => vi.waitFor(check, PATIENCE);
const stored = async () => (await area.open().getAll('outbox')).map(({ key }) => key);
const read = (tab: ChangesTab, chatroomId: string, seq: number): void =>
  tab.change(readPosition.create(chatroomId, { seq }));
const block = (tab: ChangesTab, chatroomId: string): void =>
  tab.change(chatStatus.create(chatroomId, { decision: 'block' }));
const values = (tab: ChangesTab) => tab.state().changes.map(({ value }) => value);
const untilSent = (tab: ChangesTab) =>
  until(async () => expect([values(tab), await stored()]).toEqual([[], []]));

test('changes of different chatrooms are sent and forgotten', async () => {
  const tab = openTab();
  read(tab, 'a', 1);
  read(tab, 'b', 2);
  expect(values(tab)).toEqual([{ seq: 1 }, { seq: 2 }]);
  await untilSent(tab);
  expect(new Set(tab.sent)).toEqual(new Set([1, 2]));
});

test('only the latest value is sent after the connection was lost, also after a reload', async () => {
  respond = offline;
  const before = openTab();
  read(before, 'a', 1);
  read(before, 'b', 2);
  read(before, 'a', 3);
  expect(values(before)).toEqual([{ seq: 2 }, { seq: 3 }]);
  await until(async () => expect(await stored()).toHaveLength(2));
  before.close();

  respond = accept;
  const after = openTab();
  await until(() => expect(new Set(after.sent)).toEqual(new Set([2, 3])));
  await untilSent(after);
});

test('a newer value is sent after the response to the older one', async () => {
  const responses: (() => void)[] = [];
  respond = async () => {
    await new Promise<void>((resolve) => responses.push(resolve));
    return accept();
  };
  const tab = openTab();
  read(tab, 'a', 1);
  await until(() => expect(responses).toHaveLength(1));
  read(tab, 'a', 2);
  responses[0]?.();
  await until(() => expect(tab.sent).toEqual([1, 2]));
  expect(values(tab)).toEqual([{ seq: 2 }]);
  expect(await stored()).toEqual(['read:a']);
  responses[1]?.();
  await untilSent(tab);
});

test('tabs share changes, one of them sends each, and the other shows it until it is told', async () => {
  respond = offline;
  const [first, second] = [openTab(), openTab()];
  read(first, 'a', 1);
  await until(() => expect(values(second)).toEqual([{ seq: 1 }]));
  read(second, 'a', 2);
  await until(() => expect(values(first)).toEqual([{ seq: 2 }]));
  const responses: (number | undefined)[] = [];
  respond = ({ seq }) => {
    responses.push(seq);
    return accept();
  };
  await until(async () => expect(await stored()).toEqual([]));
  expect(responses).toEqual([2]);
  await until(() => expect([...first.settled, ...second.settled]).toHaveLength(1));
  expect([...values(first), ...values(second)]).toEqual([{ seq: 2 }]);
  for (const tab of [first, second]) tab.dropSettled();
  expect([values(first), values(second)]).toEqual([[], []]);
  await sleep(UNEXPECTED_MS);
  expect(responses).toEqual([2]);
});

test('a read position of one tab does not replace a greater one of another', async () => {
  respond = offline;
  const [first, second] = [openTab(), openTab()];
  read(first, 'a', 3);
  // This tab has not seen the latest messages, and has not been told of the other's position.
  read(second, 'a', 2);
  await until(() => expect([values(first), values(second)]).toEqual([[{ seq: 3 }], [{ seq: 3 }]]));
  const responses: (number | undefined)[] = [];
  respond = ({ seq }) => {
    responses.push(seq);
    return accept();
  };
  await until(async () => expect(await stored()).toEqual([]));
  expect(responses).toEqual([3]);
});

describe('a change that fails', () => {
  test('is retried after temporary failures, also after responses of others', async () => {
    const failures = [
      offline,
      refuse(429, 'rate_limited'),
      refuse(503, 'unavailable'),
      () => Response.json({ ok: true }),
      () => new Response(null, { status: 204 }),
      () => new Response('Sign in to the Wi-Fi', { status: 403 }),
      refuse(500, 'internal'),
      refuse(500, 'internal'),
    ];
    respond = () => (failures.shift() ?? accept)();
    const tab = openTab();
    read(tab, 'a', 1);
    await untilSent(tab);
    expect(tab.sent).toHaveLength(9);
    expect(tab.failed).toHaveLength(8);
    expect(tab.refused).toEqual([]);
  });

  test.each([
    ['is refused', 'room_not_found', 404, 1],
    ['repeatedly causes a server error', 'internal', 500, 3],
    ['finds a full server', 'storage_full', 507, 1],
  ])('is discarded if it %s', async (_how, code, status, attempts) => {
    respond = ({ path }) => (path.endsWith('/block') ? refuse(status, code)() : accept());
    const tab = openTab();
    block(tab, 'a');
    read(tab, 'b', 2);
    await untilSent(tab);
    expect(tab.refused).toEqual(['a']);
    expect(tab.sent.filter((each) => each !== 2)).toHaveLength(attempts);
    expect(tab.sent.filter((each) => each === 2)).toHaveLength(1);
  });

  test('is never given up for internal server errors if there is nothing to give back', async () => {
    const failures = Array.from({ length: 9 }, () => refuse(500, 'internal'));
    respond = () => (failures.shift() ?? accept)();
    const tab = openTab();
    read(tab, 'a', 1);
    await untilSent(tab);
    expect(tab.sent).toHaveLength(10);
    expect(tab.refused).toEqual([]);
  });

  test('delays no change of another message', async () => {
    respond = async ({ path }) => {
      if (path === endpoints.editMessage.path) return refuse(429, 'rate_limited')();
      return Response.json({ _id: 'm2', chatroom: 'a', seq: 2, rev: 3 });
    };
    const tab = openTab('ada', { sendRetryMin: 60_000, sendRetryMax: 60_000 });
    const text = { content: 'new', updatedAt: '2025-03-20T09:00:00.000Z' };
    tab.change(edit.create('a', { messageId: 'm1', seq: 1, ...text }));
    await until(() => expect(tab.failed).toEqual(['editing a message rate_limited']));
    tab.change(deletion.create('a', { messageId: 'm2', seq: 2, before: null }));
    tab.change(deletion.create('a', { messageId: 'm1', seq: 1, before: null }));
    const waiting = () => tab.state().changes.map(({ key }) => key);
    await until(() => expect(waiting()).toEqual(['edit:m1', 'deletion:m1']));
  });

  test('waits for its retry, whatever is made in other chatrooms meanwhile', async () => {
    respond = offline;
    const tab = openTab('ada', { sendRetryMin: 60_000, sendRetryMax: 60_000 });
    read(tab, 'a', 1);
    await until(() => expect(tab.sent).toEqual([1]));
    read(tab, 'b', 2);
    await until(() => expect(tab.sent).toEqual([1, 2]));
    await sleep(UNEXPECTED_MS);
    expect(tab.sent).toEqual([1, 2]);
    respond = accept;
    tab.flush();
    await untilSent(tab);
    expect(tab.sent).toHaveLength(4);
    expect(new Set(tab.sent.slice(2))).toEqual(new Set([1, 2]));
  });

  test('waits for the next login if the session has ended', async () => {
    confirm = () => Promise.reject(new Error('signed out'));
    const before = openTab();
    read(before, 'a', 1);
    await until(async () => expect(await stored()).toEqual(['read:a']));
    before.close();
    confirm = () => Promise.resolve();
    const after = openTab();
    await until(() => expect(after.sent).toEqual([1]));
    expect(before.sent).toEqual([]);
  });
});

describe('changes do not wait', () => {
  const message = { content: 'hi', createdAt: '2025-03-20T09:00:00.000Z' };
  const to = { chatroomId: 'a' };

  test('behind an upload to the chatroom', async () => {
    const tab = openTab();
    tab.actions.addMedia('image', 'a', new Blob(['…']), 'a.png');
    tab.actions.sendMedia('image', 'a');
    await until(() => expect(tab.state().entries).toMatchObject([{ state: 'sending' }]));
    read(tab, 'a', 1);
    block(tab, 'b');
    await until(() => expect(values(tab)).toEqual([]));
    expect(new Set(tab.sent)).toEqual(new Set([1, '/api/chatrooms/chats/b/block']));
    expect(tab.state().entries).toMatchObject([{ state: 'sending' }]);
  });

  test('behind a message that the server does not take', async () => {
    respond = ({ path }) =>
      path === endpoints.sendMessage.path ? refuse(429, 'rate_limited')() : accept();
    const tab = openTab('ada', { sendRetryMin: 60_000, sendRetryMax: 60_000 });
    tab.state().add({ ...message, clientId: 'm', to, state: 'waiting' });
    tab.flush();
    await until(() => expect(tab.sent).toEqual([endpoints.sendMessage.path]));
    read(tab, 'a', 1);
    block(tab, 'a');
    await until(() => expect(values(tab)).toEqual([]));
    expect(tab.sent).toHaveLength(3);
  });

  test('behind a decision about the partner, if they delete a message', async () => {
    respond = ({ path }) =>
      path.endsWith('/block')
        ? refuse(503, 'unavailable')()
        : Response.json({ _id: 'm', chatroom: 'a', seq: 1, rev: 3 });
    const tab = openTab('ada', { sendRetryMin: 60_000, sendRetryMax: 60_000 });
    block(tab, 'a');
    read(tab, 'a', 1);
    tab.change(deletion.create('a', { messageId: 'm', seq: 1, before: null }));
    await until(() => expect(tab.sent).toHaveLength(2));
    await until(() =>
      expect(tab.state().changes.map(({ key }) => key)).toEqual(['status:a', 'read:a']),
    );
  });

  test('many at once are sent a few at a time, and in one place after the other', async () => {
    let running = 0;
    let most = 0;
    const pins: unknown[] = [];
    respond = async ({ path }) => {
      running += 1;
      most = Math.max(most, running);
      if (path.endsWith('/settings')) pins.push(path);
      await sleep(1);
      running -= 1;
      return accept();
    };
    const tab = openTab();
    for (let id = 0; id < 30; id += 1) read(tab, `room ${id}`, id);
    for (const id of ['a', 'b', 'c']) {
      tab.change(chatSettingsChange.create(id, { isPinned: id === 'c', isArchived: false }));
    }
    await untilSent(tab);
    expect(most).toBeLessThanOrEqual(6);
    expect(pins).toEqual(['a', 'b', 'c'].map((id) => `/api/chatrooms/chats/${id}/settings`));
  });

  test('but a message waits until the partner is unblocked', async () => {
    const unblocked = Promise.withResolvers<void>();
    respond = async ({ path }) => {
      if (path.endsWith('/unblock')) await unblocked.promise;
      return path === endpoints.sendMessage.path ? refuse(404, 'room_not_found')() : accept();
    };
    const tab = openTab();
    tab.change(chatStatus.create('a', { decision: 'unblock' }));
    tab.actions.send('a', 'hi');
    tab.actions.send('b', 'hi');
    await until(() => expect(tab.sent).toHaveLength(2));
    await sleep(UNEXPECTED_MS);
    expect(tab.sent).toHaveLength(2);
    unblocked.resolve();
    await until(() => expect(tab.sent).toHaveLength(3));
    expect(tab.state().entries.map(({ state }) => state)).toEqual(['failed', 'failed']);
  });
});

test('changes of other users and of unknown types stay', async () => {
  respond = offline;
  const tab = openTab();
  read(tab, 'a', 1);
  tab.state().addChange({ key: 'other:a', chatroomId: 'a', value: 2 });
  tab.state().addChange({ key: 'read:b', chatroomId: 'b', value: { seq: 'of a later version' } });
  await until(async () => expect(await stored()).toHaveLength(3));
  tab.close();
  respond = accept;
  const bob = openTab('bob');
  const ada = openTab();
  await until(async () => expect((await stored()).toSorted()).toEqual(['other:a', 'read:b']));
  expect(ada.sent).toEqual([1]);
  expect([values(bob), bob.sent]).toEqual([[], []]);
});

test('changes are erased with the session', async () => {
  respond = offline;
  const tab = openTab();
  read(tab, 'a', 1);
  await until(async () => expect(await stored()).toHaveLength(1));
  await tab.erase();
  expect([values(tab), await stored()]).toEqual([[], []]);
});

test('changes that an earlier version stored in a collection of their own are taken over', async () => {
  const value = { username: 'ada', data: { chatroomId: 'a', value: { seq: 4 }, order: 7 } };
  const earlier = area.open();
  const platform = createHeadlessPlatform(undefined, { openStorage: async () => area.open() });
  await openUserStorage(platform, { username: 'ada' });
  await earlier.put('intents', 'read:a', { value });
  await openUserStorage(platform, { username: 'ada' });
  expect(await earlier.getAll('intents')).toEqual([]);
  const tab = openTab();
  await until(() => expect(tab.sent).toEqual([4]));
  await untilSent(tab);
});
