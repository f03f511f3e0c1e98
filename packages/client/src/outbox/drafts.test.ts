import { expect, test, vi } from 'vitest';
import type { ClientStorage } from '../client-storage.ts';
import { createHeadlessPlatform } from '../headless-platform.ts';
import { createMemoryStorageArea, type MemoryStorageArea } from '../storage/memory-storage.ts';
import { openUserStorage, type OpenedStorage } from '../storage/open-storage.ts';
import { createAdasOutbox } from '../../test/create-adas-outbox.ts';
import { createDraftsStore, selectDraft } from './drafts.ts';

const logFailure = () => undefined;

type Drafts = ReturnType<typeof createDraftsStore>;

function create(opened: OpenedStorage, username = 'Ada'): Drafts {
  return createDraftsStore({ logFailure }, username, opened, createAdasOutbox().store);
}

const open = (area: MemoryStorageArea, username?: string): Drafts =>
  create(Promise.resolve(area.open()), username);

const draftsOf = (store: Drafts): Record<string, string> =>
  Object.fromEntries(
    Object.entries(store.getState().drafts).map(([draftKey, { text }]) => [draftKey, text]),
  );

test('restores drafts after a reload, except for emptied ones', async () => {
  const area = createMemoryStorageArea();
  const before = open(area);
  before.getState().change('a', { text: 'half a sentence' });
  before.getState().change('b', { text: 'sent' });
  before.getState().change('b', { text: '' });
  const after = open(area);
  await vi.waitFor(() => expect(draftsOf(after)).toEqual({ a: 'half a sentence' }));
});

test('merges drafts written before the storage is open with stored ones', async () => {
  const area = createMemoryStorageArea();
  const before = open(area);
  before.getState().change('a', { text: 'old' });
  before.getState().change('b', { text: 'also old' });
  before.getState().change('c', { text: 'sent meanwhile' });
  const opening = Promise.withResolvers<ClientStorage>();
  const store = create(opening.promise);
  store.getState().change('a', { text: 'new' });
  store.getState().change('c', { text: 'x' });
  store.getState().change('c', { text: '' });
  expect(draftsOf(store)).toEqual({ a: 'new' });
  opening.resolve(area.open());
  await vi.waitFor(() => expect(draftsOf(store)).toEqual({ a: 'new', b: 'also old' }));
  await vi.waitFor(() => expect(draftsOf(before)).toEqual({ a: 'new', b: 'also old' }));
});

test('adds a text below what is stored once, even before the storage is open', async () => {
  const area = createMemoryStorageArea();
  await open(area).getState().append('a', 'half a sentence');
  const opening = Promise.withResolvers<ClientStorage>();
  const store = create(opening.promise);
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
  one.getState().change('a', { text: 'from one' });
  await vi.waitFor(() => expect(draftsOf(other)).toEqual({ a: 'from one' }));
  other.getState().change('a', { text: '' });
  await vi.waitFor(() => expect(draftsOf(one)).toEqual({}));
});

test("shows and erases only the user's own drafts", async () => {
  const area = createMemoryStorageArea();
  open(area).getState().change('a', { text: 'of Ada' });
  const bob = open(area, 'Bob');
  bob.getState().change('b', { text: 'of Bob' });
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
  const store = create(opened());
  store.getState().change('a', { text: 'half' });
  await Promise.resolve();
  store.getState().change('a', { text: 'half a sentence' });
  await Promise.resolve();
  expect(draftsOf(store)).toEqual({ a: 'half a sentence' });
});

/** Creates readable storage that rejects every write. */
function fullStorage(): ClientStorage {
  const storage = createMemoryStorageArea().open();
  return { ...storage, put: () => Promise.reject(new Error('quota')) };
}

const REPLY = { messageId: 'm1', seq: 1 };
const EDITING = { messageId: 'm2', seq: 2, original: 'a text', text: 'a better text' };

test('keeps a reply, without the content of the message, and an unfinished edit across tabs and reloads', async () => {
  const area = createMemoryStorageArea();
  const [one, other] = [open(area), open(area)];
  await vi.waitFor(async () => expect(await area.open().getAll('drafts')).toEqual([]));
  const replyTo = { ...REPLY, content: 'secret' };
  one.getState().change('a', { text: 'Yes' });
  one.getState().change('a', { replyTo });
  one.getState().change('a', { editing: EDITING });
  const draft = { text: 'Yes', replyTo: REPLY, editing: EDITING, attachments: [] };
  await vi.waitFor(() => expect(selectDraft(other.getState(), 'a')).toEqual(draft));
  const after = open(area);
  await vi.waitFor(() => expect(selectDraft(after.getState(), 'a')).toEqual(draft));
  expect(JSON.stringify(await area.open().getAll('drafts'))).not.toContain('secret');
  after.getState().change('a', { editing: undefined });
  after.getState().change('a', { replyTo: undefined });
  await vi.waitFor(() =>
    expect(selectDraft(one.getState(), 'a')).toEqual({ text: 'Yes', attachments: [] }),
  );
});

test('an edit without a change is neither stored nor shown by other tabs, and stays when they write', async () => {
  const area = createMemoryStorageArea();
  const [one, other] = [open(area), open(area)];
  const begun = { ...EDITING, text: EDITING.original };
  one.getState().change('a', { editing: begun });
  other.getState().change('a', { text: 'Yes' });
  await vi.waitFor(() =>
    expect(selectDraft(one.getState(), 'a')).toEqual({
      text: 'Yes',
      editing: begun,
      attachments: [],
    }),
  );
  expect(selectDraft(other.getState(), 'a').editing).toBeUndefined();
});

test('what is changed before the storage is open keeps the rest of the stored draft', async () => {
  const area = createMemoryStorageArea();
  const before = open(area);
  before.getState().change('a', { text: 'half a sentence', editing: EDITING });
  await vi.waitFor(async () => expect(await area.open().getAll('drafts')).toHaveLength(1));
  const opening = Promise.withResolvers<ClientStorage>();
  const store = create(opening.promise);
  store.getState().change('a', { replyTo: REPLY });
  opening.resolve(area.open());
  const expected = { text: 'half a sentence', replyTo: REPLY, editing: EDITING, attachments: [] };
  await vi.waitFor(() => expect(selectDraft(store.getState(), 'a')).toEqual(expected));
  await vi.waitFor(() => expect(selectDraft(before.getState(), 'a')).toEqual(expected));
});

test('contains the files of the outbox that are not sent', () => {
  const { store: outbox } = createAdasOutbox();
  const drafts = createDraftsStore({ logFailure }, 'Ada', Promise.resolve(undefined), outbox);
  const file = { kind: 'image', name: 'a.png', blob: new Blob(['a']), previewUrl: '' } as const;
  const to = { chatroomId: 'a' };
  const added = { to, file, content: '', createdAt: '2026-01-01T00:00:00.000Z' };
  outbox.getState().add({ ...added, clientId: '1', state: 'draft' });
  outbox.getState().add({ ...added, clientId: '2', state: 'waiting' });
  outbox.getState().add({ ...added, clientId: '3', to: { chatroomId: 'b' }, state: 'draft' });
  expect(selectDraft(drafts.getState(), 'a').attachments).toMatchObject([{ clientId: '1' }]);
  drafts.getState().change('b', { text: 'a caption' });
  drafts.getState().discard('b');
  expect(selectDraft(drafts.getState(), 'b').attachments).toMatchObject([{ clientId: '3' }]);
  outbox.getState().change(['1'], { state: 'waiting' });
  expect(Object.keys(drafts.getState().drafts)).toEqual(['b']);
});

test('takes over the texts and replies that earlier versions stored apart', async () => {
  const area = createMemoryStorageArea();
  const platform = { ...createHeadlessPlatform(), openStorage: async () => area.open() };
  const user = { username: 'Ada', registeredAt: '2026-01-01T00:00:00.000Z' };
  const storage = (await openUserStorage(platform, user))!;
  await storage.put('drafts', 'a', { value: { username: 'Ada', data: 'half a sentence' } });
  await storage.put('drafts', 'reply:a', { value: { username: 'Ada', data: REPLY } });
  await storage.put('drafts', 'reply:b', { value: { username: 'Ada', data: REPLY } });
  await storage.put('drafts', 'c', { value: { username: 'Ada', data: 'Hello' } });
  // Two versions ran in two tabs.
  const newer = { text: 'half', editing: EDITING };
  await storage.put('drafts', 'd', { value: { username: 'Ada', data: newer } });
  await storage.put('drafts', 'reply:d', { value: { username: 'Ada', data: REPLY } });
  const store = create(openUserStorage(platform, user));
  await vi.waitFor(() =>
    expect(store.getState().drafts).toEqual({
      a: { text: 'half a sentence', replyTo: REPLY, attachments: [] },
      b: { text: '', replyTo: REPLY, attachments: [] },
      c: { text: 'Hello', attachments: [] },
      d: { ...newer, replyTo: REPLY, attachments: [] },
    }),
  );
  expect((await storage.getAll('drafts')).map(({ key }) => key).toSorted()).toEqual([
    'a',
    'b',
    'c',
    'd',
  ]);
});

test.each<[string, unknown]>([
  ['nothing', null],
  ['a number as its text', { text: 1 }],
  ['an edit without a message', { text: '', editing: { text: 'a', original: 'b' } }],
])('ignores a stored draft with %s', async (_what, data) => {
  const area = createMemoryStorageArea();
  await area.open().put('drafts', 'a', { value: { username: 'Ada', data } });
  await area.open().put('drafts', 'b', { value: { username: 'Ada', data: 'Hello' } });
  const store = open(area);
  await vi.waitFor(() => expect(draftsOf(store)).toEqual({ b: 'Hello' }));
});
