import { expect, test, vi } from 'vitest';
import type { ClientStorage } from '../client-storage.ts';
import { createMemoryStorageArea, type MemoryStorageArea } from '../storage/memory-storage.ts';
import type { OpenedStorage } from '../storage/open-storage.ts';
import { createDraftsStore } from './drafts.ts';

const logFailure = () => undefined;

function open(area: MemoryStorageArea, username = 'Ada') {
  return createDraftsStore({ logFailure }, username, Promise.resolve(area.open()));
}

const draftsOf = (store: ReturnType<typeof createDraftsStore>) => store.getState().drafts;

test('restores drafts after a reload, except for emptied ones', async () => {
  const area = createMemoryStorageArea();
  const before = open(area);
  before.getState().setDraft('a', 'half a sentence');
  before.getState().setDraft('b', 'sent');
  before.getState().setDraft('b', '');
  const after = open(area);
  await vi.waitFor(() => expect(draftsOf(after)).toEqual({ a: 'half a sentence' }));
});

test('merges drafts written before the storage is open with stored ones', async () => {
  const area = createMemoryStorageArea();
  const before = open(area);
  before.getState().setDraft('a', 'old');
  before.getState().setDraft('b', 'also old');
  before.getState().setDraft('c', 'sent meanwhile');
  const opening = Promise.withResolvers<ClientStorage>();
  const store = createDraftsStore({ logFailure }, 'Ada', opening.promise);
  store.getState().setDraft('a', 'new');
  store.getState().setDraft('c', 'x');
  store.getState().setDraft('c', '');
  expect(draftsOf(store)).toEqual({ a: 'new' });
  opening.resolve(area.open());
  await vi.waitFor(() => expect(draftsOf(store)).toEqual({ a: 'new', b: 'also old' }));
  await vi.waitFor(() => expect(draftsOf(before)).toEqual({ a: 'new', b: 'also old' }));
});

test('adds a text below what is stored once, even before the storage is open', async () => {
  const area = createMemoryStorageArea();
  open(area).getState().setDraft('a', 'half a sentence');
  const opening = Promise.withResolvers<ClientStorage>();
  const store = createDraftsStore({ logFailure }, 'Ada', opening.promise);
  const added = Promise.all([
    store.getState().append('a', 'one'),
    store.getState().append('a', 'two'),
    store.getState().append('b', 'three'),
  ]);
  opening.resolve(area.open());
  await added;
  const expected = { a: 'half a sentence\none\ntwo', b: 'three' };
  expect(draftsOf(store)).toEqual(expected);
  await store.getState().append('a', 'two');
  await store.getState().append('b', 'three');
  expect(draftsOf(store)).toEqual(expected);
  const after = open(area);
  await vi.waitFor(() => expect(draftsOf(after)).toEqual(expected));
});

test('applies drafts that other tabs change or empty', async () => {
  const area = createMemoryStorageArea();
  const [one, other] = [open(area), open(area)];
  one.getState().setDraft('a', 'from one');
  await vi.waitFor(() => expect(draftsOf(other)).toEqual({ a: 'from one' }));
  other.getState().setDraft('a', '');
  await vi.waitFor(() => expect(draftsOf(one)).toEqual({}));
});

test("shows and erases only the user's own drafts", async () => {
  const area = createMemoryStorageArea();
  open(area).getState().setDraft('a', 'of Ada');
  const bob = open(area, 'Bob');
  bob.getState().setDraft('b', 'of Bob');
  const ada = open(area);
  await vi.waitFor(() => expect(draftsOf(ada)).toEqual({ a: 'of Ada' }));
  expect(draftsOf(bob)).toEqual({ b: 'of Bob' });
  await ada.getState().erase();
  expect(draftsOf(ada)).toEqual({});
  expect((await area.open().getAll('drafts')).map(({ key }) => key)).toEqual(['b']);
});

test.each<[string, () => OpenedStorage]>([
  ['is missing', async () => undefined],
  ['never opens', () => new Promise(() => undefined)],
  ['rejects every write', async () => fullStorage()],
])('keeps drafts in memory if the storage %s', async (_what, opened) => {
  const store = createDraftsStore({ logFailure }, 'Ada', opened());
  store.getState().setDraft('a', 'half');
  await Promise.resolve();
  store.getState().setDraft('a', 'half a sentence');
  await Promise.resolve();
  expect(draftsOf(store)).toEqual({ a: 'half a sentence' });
});

/** Creates readable storage that rejects every write. */
function fullStorage(): ClientStorage {
  const storage = createMemoryStorageArea().open();
  return { ...storage, put: () => Promise.reject(new Error('quota')) };
}

test('keeps the message to which a draft replies, without its content, across tabs and reloads', async () => {
  const area = createMemoryStorageArea();
  const [one, other] = [open(area), open(area)];
  const replyTo = { messageId: 'm1', seq: 1, content: 'secret' };
  one.getState().setDraft('a', 'Yes');
  one.getState().setReply('a', replyTo);
  const stored = { a: { messageId: 'm1', seq: 1 } };
  await vi.waitFor(() => expect(other.getState().replies).toEqual(stored));
  expect(draftsOf(other)).toEqual({ a: 'Yes' });
  const after = open(area);
  await vi.waitFor(() => expect(after.getState().replies).toEqual(stored));
  expect(JSON.stringify(await area.open().getAll('drafts'))).not.toContain('secret');
  after.getState().setReply('a', undefined);
  await vi.waitFor(() => expect(one.getState().replies).toEqual({}));
  expect(draftsOf(one)).toEqual({ a: 'Yes' });
});
