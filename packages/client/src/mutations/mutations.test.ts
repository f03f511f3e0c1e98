import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../api/client.ts';
import { createMemoryLocks } from '../headless-platform.ts';
import { createMemoryStorageArea, type MemoryStorageArea } from '../storage/memory-storage.ts';
import { createMutationsStore, type Mutation, type MutationsState } from './mutations-store.ts';
import { createMutations, type Mutations } from './mutations.ts';

const TIMING = { sendRetryMin: 1, sendRetryMax: 2 };
const PATIENCE = { timeout: 30_000, interval: 1 };
/** Milliseconds in which an attempt would be made that is not expected. */
const UNEXPECTED_MS = 30;

/** A tab that sends mutations. */
interface MutationsTab {
  state: () => MutationsState;
  mutations: Mutations;
  erase: () => Promise<void>;
  close: () => void;
  /** The sent values in order. */
  sent: unknown[];
  refused: [value: unknown, code: string][];
}

let area: MemoryStorageArea;
let locks: ReturnType<typeof createMemoryLocks>;
let tabs: MutationsTab[];
/** Carries out a request of any tab. */
let handle: (mutation: Mutation) => Promise<void>;
/** Whether the session belongs to the user. */
let confirm: () => Promise<void>;

beforeEach(() => {
  area = createMemoryStorageArea();
  locks = createMemoryLocks();
  tabs = [];
  handle = () => Promise.resolve();
  confirm = () => Promise.resolve();
});
afterEach(() => {
  for (const tab of tabs) tab.close();
});

function openTab(username = 'ada', timing = TIMING): MutationsTab {
  const closing = new AbortController();
  const platform = { locks, logFailure: () => undefined };
  const storage = area.open();
  const store = createMutationsStore({ platform, username, opened: Promise.resolve(storage) });
  const sent: unknown[] = [];
  const refused: MutationsTab['refused'] = [];
  const mutations = createMutations({
    mutations: store,
    platform,
    senders: {
      test: {
        send: async (mutation) => {
          sent.push(mutation.value);
          await handle(mutation);
        },
        onRefused: ({ value }, { code }) => void refused.push([value, code]),
      },
    },
    signal: closing.signal,
    confirmUser: () => confirm(),
    timing,
  });
  const tab: MutationsTab = {
    state: store.store.getState,
    mutations,
    erase: store.erase,
    close: () => closing.abort(),
    sent,
    refused,
  };
  tabs.push(tab);
  return tab;
}

const until = (check: () => void | Promise<void>) => vi.waitFor(check, PATIENCE);
const stored = async () => (await area.open().getAll('intents')).map(({ key }) => key);
const offline = () => Promise.reject(new ApiError('offline', 0, 'No response'));
const values = (tab: MutationsTab) => tab.state().mutations.map(({ value }) => value);

test('sends mutations in order and forgets them', async () => {
  const tab = openTab();
  tab.state().set('test:a', 'room', 1);
  tab.state().set('test:b', 'room', 2);
  expect(values(tab)).toEqual([1, 2]);
  await until(() => expect(tab.sent).toEqual([1, 2]));
  await until(async () => expect([values(tab), await stored()]).toEqual([[], []]));
});

test('sends only the latest value after the connection was lost, also after a reload', async () => {
  handle = offline;
  const before = openTab();
  before.state().set('test:a', 'room', 1);
  before.state().set('test:b', 'room', 2);
  before.state().set('test:a', 'room', 3);
  expect(values(before)).toEqual([2, 3]);
  await until(async () => expect(await stored()).toHaveLength(2));
  before.close();

  handle = () => Promise.resolve();
  const after = openTab();
  await until(() => expect(after.sent).toEqual([2, 3]));
  await until(async () => expect([values(after), await stored()]).toEqual([[], []]));
});

test('sends the newer value after the response to the older one', async () => {
  const responses: (() => void)[] = [];
  handle = () => new Promise((resolve) => responses.push(resolve));
  const tab = openTab();
  tab.state().set('test:a', 'room', 1);
  await until(() => expect(responses).toHaveLength(1));
  tab.state().set('test:a', 'room', 2);
  responses[0]?.();
  await until(() => expect(tab.sent).toEqual([1, 2]));
  expect(values(tab)).toEqual([2]);
  expect(await stored()).toEqual(['test:a']);
  responses[1]?.();
  await until(async () => expect([values(tab), await stored()]).toEqual([[], []]));
});

test('tabs share mutations, and one of them sends each', async () => {
  handle = offline;
  const [first, second] = [openTab(), openTab()];
  first.state().set('test:a', 'room', 1);
  await until(() => expect(values(second)).toEqual([1]));
  second.state().set('test:a', 'room', 2);
  await until(() => expect(values(first)).toEqual([2]));
  const sent: unknown[] = [];
  handle = ({ value }) => {
    sent.push(value);
    return Promise.resolve();
  };
  await until(() => expect([values(first), values(second)]).toEqual([[], []]));
  expect(sent).toEqual([2]);
});

describe('a mutation that fails', () => {
  test('is retried after temporary failures', async () => {
    const failures = [
      new ApiError('offline', 0, ''),
      new ApiError('rate_limited', 429, ''),
      new ApiError('unavailable', 503, ''),
      new ApiError('internal', 500, ''),
      new ApiError('internal', 500, ''),
    ];
    handle = () => {
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : Promise.resolve();
    };
    const tab = openTab();
    tab.state().set('test:a', 'room', 1);
    await until(() => expect(values(tab)).toEqual([]));
    expect(tab.sent).toHaveLength(6);
    expect(tab.refused).toEqual([]);
  });

  test.each([
    ['is refused', 'message_not_found' as const, 404, 1],
    ['repeatedly causes a server error', 'internal' as const, 500, 3],
  ])('is discarded if it %s', async (_how, code, status, attempts) => {
    handle = ({ value }) =>
      value === 1 ? Promise.reject(new ApiError(code, status, '')) : Promise.resolve();
    const tab = openTab();
    tab.state().set('test:a', 'room', 1);
    tab.state().set('test:b', 'room', 2);
    await until(async () => expect([values(tab), await stored()]).toEqual([[], []]));
    expect(tab.refused).toEqual([[1, code]]);
    expect(tab.sent).toEqual([...Array<number>(attempts).fill(1), 2]);
  });

  test('waits for its retry, whatever is set or sent meanwhile', async () => {
    handle = offline;
    const tab = openTab('ada', { sendRetryMin: 60_000, sendRetryMax: 60_000 });
    tab.state().set('test:a', 'room', 1);
    await until(() => expect(tab.sent).toEqual([1]));
    await sleep(UNEXPECTED_MS);
    tab.state().set('test:b', 'room', 2);
    await sleep(UNEXPECTED_MS);
    expect(tab.sent).toEqual([1]);

    handle = ({ value }) => (value === 1 ? Promise.resolve() : offline());
    tab.mutations.flush();
    await until(() => expect(tab.sent).toEqual([1, 1, 2]));
    await sleep(UNEXPECTED_MS);
    expect(tab.sent).toEqual([1, 1, 2]);
  });

  test('waits for the next login if the session has ended', async () => {
    confirm = () => Promise.reject(new ApiError('unauthenticated', 401, ''));
    const before = openTab();
    before.state().set('test:a', 'room', 1);
    await until(async () => expect(await stored()).toEqual(['test:a']));
    before.close();
    confirm = () => Promise.resolve();
    const after = openTab();
    await until(() => expect(after.sent).toEqual([1]));
    expect(before.sent).toEqual([]);
  });
});

test('ignores mutations of other users and of unknown kinds, which stay', async () => {
  handle = offline;
  const tab = openTab();
  tab.state().set('test:a', 'room', 1);
  tab.state().set('other:a', 'room', 2);
  await until(async () => expect(await stored()).toHaveLength(2));
  tab.close();
  handle = () => Promise.resolve();
  const bob = openTab('bob');
  const ada = openTab();
  await until(async () => expect(await stored()).toEqual(['other:a']));
  expect(ada.sent).toEqual([1]);
  expect([values(bob), bob.sent]).toEqual([[], []]);
});

test('discards the mutations for a chatroom, and erases all', async () => {
  handle = offline;
  const tab = openTab();
  tab.state().set('test:a', 'room', 1);
  tab.state().set('test:b', 'other', 2);
  await until(async () => expect(await stored()).toHaveLength(2));
  tab.state().discard('room');
  expect(values(tab)).toEqual([2]);
  await until(async () => expect(await stored()).toEqual(['test:b']));
  await tab.erase();
  expect([values(tab), await stored()]).toEqual([[], []]);
});
