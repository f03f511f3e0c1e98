import { beforeEach, expect, test, vi } from 'vitest';
import type { ClientStorage, StorageContent } from './client-storage.ts';
import { createMemoryStorageArea, type MemoryStorageArea } from './memory-storage.ts';
import { createStoredCollection, type StoredCollection } from './stored-collection.ts';

let area: MemoryStorageArea;
/** Whether the storage of the first tab fails. */
let isFailing: boolean;
/** The content of the first tab's store. */
let shown: Map<string, unknown>;

const logFailure = vi.fn<() => void>();

function open(): ClientStorage {
  const storage = area.open();
  const check = (): void => {
    if (isFailing) throw new Error('the storage failed');
  };
  return {
    ...storage,
    put: async (...args) => {
      check();
      await storage.put(...args);
    },
    update: async (...args) => {
      check();
      await storage.update(...args);
    },
    delete: async (...args) => {
      check();
      await storage.delete(...args);
    },
  };
}

async function createCollection(storage: ClientStorage): Promise<StoredCollection> {
  const collection = createStoredCollection({
    opened: Promise.resolve(storage),
    collection: 'drafts',
    username: 'ada',
    keys: () => [...shown.keys()],
    apply: (read) => {
      for (const [key, content] of read) {
        if (content) shown.set(key, content.value);
        else shown.delete(key);
      }
    },
    logFailure,
  });
  await collection.loaded;
  return collection;
}

const text = (value: string): StorageContent => ({ value });

async function stored(): Promise<unknown> {
  const records = await area.open().getAll('drafts');
  return Object.fromEntries(
    records.map(({ key, value }) => [key, (value as { data: unknown }).data]),
  );
}

const untilStored = (expected: object) =>
  vi.waitFor(async () => expect(await stored()).toEqual(expected), { timeout: 30_000 });

beforeEach(() => {
  logFailure.mockClear();
  area = createMemoryStorageArea();
  isFailing = false;
  shown = new Map();
});

test('retries a failed write after the next successful one', async () => {
  const collection = await createCollection(open());
  isFailing = true;
  expect(await collection.put('a', text('one'))).toBe(false);
  collection.replace('a', text('two'));
  await vi.waitFor(() => expect(logFailure).toHaveBeenCalledTimes(2));
  isFailing = false;
  expect(await collection.put('b', text('three'))).toBe(true);
  await untilStored({ a: 'two', b: 'three' });
});

test('retries a failed deletion after the next successful write', async () => {
  const collection = await createCollection(open());
  await collection.put('a', text('one'));
  isFailing = true;
  collection.delete('a');
  await vi.waitFor(() => expect(logFailure).toHaveBeenCalled());
  isFailing = false;
  await collection.put('b', text('two'));
  await untilStored({ b: 'two' });
});

test('does not retry a failed write of a record that another tab has changed since', async () => {
  const collection = await createCollection(open());
  isFailing = true;
  await collection.put('a', text('old'));
  isFailing = false;
  await area.open().put('drafts', 'a', { value: { username: 'ada', data: 'new' } });
  await vi.waitFor(() => expect(shown.get('a')).toBe('new'));
  await collection.put('b', text('other'));
  await untilStored({ a: 'new', b: 'other' });
});

test('does not retry a failed write after the collection was erased', async () => {
  const collection = await createCollection(open());
  isFailing = true;
  await collection.put('a', text('one'));
  isFailing = false;
  await collection.erase();
  await collection.put('b', text('two'));
  await untilStored({ b: 'two' });
});
