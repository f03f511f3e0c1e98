import { beforeEach, expect, test, vi } from 'vitest';
import type { ClientStorage, StorageContent } from '../client-storage.ts';
import { createMemoryStorageArea, type MemoryStorageArea } from './memory-storage.ts';
import { createStoredCollection, type StoredCollection } from './stored-collection.ts';

let area: MemoryStorageArea;
/** Whether writes by the tab under test fail. */
let isWriteFailing: boolean;
/** The content of the store of the tab under test. */
let tabStore: Map<string, unknown>;

const logFailure = vi.fn<() => void>();

function openFailingStorage(): ClientStorage {
  const storage = area.open();
  const failIfSet = (): void => {
    if (isWriteFailing) throw new Error('the storage failed');
  };
  return {
    ...storage,
    put: async (...args) => {
      failIfSet();
      await storage.put(...args);
    },
    update: async (...args) => {
      failIfSet();
      await storage.update(...args);
    },
    delete: async (...args) => {
      failIfSet();
      await storage.delete(...args);
    },
  };
}

async function createCollection(storage: ClientStorage): Promise<StoredCollection> {
  const collection = createStoredCollection({
    opened: Promise.resolve(storage),
    collection: 'drafts',
    username: 'ada',
    keys: () => [...tabStore.keys()],
    apply: (records) => {
      for (const [key, record] of records) {
        if (record) tabStore.set(key, record.value);
        else tabStore.delete(key);
      }
    },
    logFailure,
  });
  await collection.loaded;
  return collection;
}

const content = (value: string): StorageContent => ({ value });

async function readStored(): Promise<unknown> {
  const records = await area.open().getAll('drafts');
  return Object.fromEntries(
    records.map(({ key, value }) => [key, (value as { data: unknown }).data]),
  );
}

const untilStored = (expected: object) =>
  vi.waitFor(async () => expect(await readStored()).toEqual(expected), { timeout: 30_000 });

beforeEach(() => {
  logFailure.mockClear();
  area = createMemoryStorageArea();
  isWriteFailing = false;
  tabStore = new Map();
});

test('retries a failed write after the next successful one', async () => {
  const collection = await createCollection(openFailingStorage());
  isWriteFailing = true;
  expect(await collection.put('a', content('one'))).toBe(false);
  collection.replace('a', content('two'));
  await vi.waitFor(() => expect(logFailure).toHaveBeenCalledTimes(2));
  isWriteFailing = false;
  expect(await collection.put('b', content('three'))).toBe(true);
  await untilStored({ a: 'two', b: 'three' });
});

test('retries a failed deletion after the next successful write', async () => {
  const collection = await createCollection(openFailingStorage());
  await collection.put('a', content('one'));
  isWriteFailing = true;
  collection.delete('a');
  await vi.waitFor(() => expect(logFailure).toHaveBeenCalled());
  isWriteFailing = false;
  await collection.put('b', content('two'));
  await untilStored({ b: 'two' });
});

test('does not retry a failed write of a record that another tab has changed since', async () => {
  const collection = await createCollection(openFailingStorage());
  isWriteFailing = true;
  await collection.put('a', content('old'));
  isWriteFailing = false;
  await area.open().put('drafts', 'a', { value: { username: 'ada', data: 'new' } });
  await vi.waitFor(() => expect(tabStore.get('a')).toBe('new'));
  await collection.put('b', content('other'));
  await untilStored({ a: 'new', b: 'other' });
});

test('does not retry a failed write after the collection was erased', async () => {
  const collection = await createCollection(openFailingStorage());
  isWriteFailing = true;
  await collection.put('a', content('one'));
  isWriteFailing = false;
  await collection.erase();
  await collection.put('b', content('two'));
  await untilStored({ b: 'two' });
});

test('deletes a record only if its stored content is the expected one', async () => {
  const collection = await createCollection(area.open());
  await collection.put('a', content('one'));
  await area.open().put('drafts', 'a', { value: { username: 'ada', data: 'two' } });
  await area.open().put('drafts', 'b', { value: { username: 'bob', data: 'one' } });
  for (const key of ['a', 'b', 'c']) collection.deleteIf(key, ({ value }) => value === 'one');
  await collection.put('d', content('four'));
  await untilStored({ a: 'two', b: 'one', d: 'four' });
  collection.deleteIf('a', ({ value }) => value === 'two');
  await untilStored({ b: 'one', d: 'four' });
});
