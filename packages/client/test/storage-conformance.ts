import type { ClientStorage, StorageChange } from '../src/client-storage.ts';

/**
 * A required behavior of every storage. Needs no test framework: `run` rejects if the check fails.
 */
export interface StorageCheck {
  /** A sentence without its subject, such as "keeps …". */
  readonly name: string;
  /** @param open opens the initially empty storage of one browser, each time as another tab */
  readonly run: (open: () => Promise<ClientStorage>) => Promise<void>;
}

/** Checks of all guarantees of `ClientStorage` that require neither a page nor a full disk. */
export const STORAGE_CHECKS: readonly StorageCheck[] = [
  {
    name: 'returns records that were put, and nothing for other keys and collections',
    run: async (open) => {
      const storage = await open();
      await storage.put('drafts', 'a', { value: { text: 'Hello', list: [1, null, true] } });
      await storage.put('drafts', 'b', { value: 'text' });
      await storage.put('outbox', 'a', { value: 1 });
      equal(await storage.get('drafts', 'a'), {
        key: 'a',
        value: { text: 'Hello', list: [1, null, true] },
      });
      equal(sorted(await storage.getAll('drafts')), [
        { key: 'a', value: { text: 'Hello', list: [1, null, true] } },
        { key: 'b', value: 'text' },
      ]);
      equal(await storage.getAll('rooms'), []);
      equal(await storage.get('drafts', 'c'), undefined);
    },
  },
  {
    name: 'replaces and deletes records',
    run: async (open) => {
      const storage = await open();
      await storage.put('rooms', 'a', { value: 1 });
      await storage.put('rooms', 'a', { value: 2 });
      equal(await storage.getAll('rooms'), [{ key: 'a', value: 2 }]);
      await storage.delete('rooms', 'a');
      await storage.delete('rooms', 'never there');
      equal(await storage.getAll('rooms'), []);
    },
  },
  {
    name: 'stores copies that do not change with the original object',
    run: async (open) => {
      const storage = await open();
      const value = { text: 'before' };
      const put = storage.put('meta', 'a', { value });
      value.text = 'after';
      await put;
      const first = await storage.get('meta', 'a');
      if (first) (first.value as typeof value).text = 'changed';
      equal(await storage.get('meta', 'a'), { key: 'a', value: { text: 'before' } });
    },
  },
  {
    name: 'writes in the order of the calls, with files of any size in between',
    run: async (open) => {
      const storage = await open();
      const file = new Blob([new Uint8Array(300_000)]);
      const writes = [
        storage.put('outbox', 'a', { value: 1, file }),
        storage.put('outbox', 'a', { value: 2 }),
        storage.delete('outbox', 'a'),
        storage.put('outbox', 'a', { value: 3, file }),
        storage.update('outbox', 'a', (before) => ({ value: [before?.value, before?.file?.size] })),
        storage.put('drafts', 'b', { value: 1, file }),
        storage.clear(['drafts']),
        storage.put('drafts', 'c', { value: 1 }),
      ];
      const read = storage.get('outbox', 'a');
      await Promise.all(writes);
      equal(await read, { key: 'a', value: [3, 300_000] });
      equal(await storage.getAll('drafts'), [{ key: 'c', value: 1 }]);
    },
  },
  {
    name: 'updates a record depending on its content',
    run: async (open) => {
      const storage = await open();
      const seen: unknown[] = [];
      const update = (content: { value: unknown } | 'keep' | undefined) =>
        storage.update('chats', 'a', (before) => {
          seen.push(before?.value);
          return content;
        });
      await update('keep');
      await update({ value: 1 });
      await update({ value: 2 });
      await update('keep');
      equal(await storage.getAll('chats'), [{ key: 'a', value: 2 }]);
      await update(undefined);
      await update(undefined);
      equal(await storage.getAll('chats'), []);
      equal(seen, [undefined, undefined, 1, 2, 2, undefined]);
    },
  },
  {
    name: 'loses no concurrent update of two tabs',
    run: async (open) => {
      const tabs = [await open(), await open()];
      const count = 25;
      const updates = Array.from({ length: count }, () =>
        tabs.map((tab) =>
          tab.update('meta', 'count', (before) => ({ value: Number(before?.value ?? 0) + 1 })),
        ),
      );
      await Promise.all(updates.flat());
      for (const tab of tabs) {
        equal(await tab.get('meta', 'count'), { key: 'count', value: 2 * count });
      }
    },
  },
  {
    name: 'rejects an update that throws, and leaves the record unchanged and the storage usable',
    run: async (open) => {
      const storage = await open();
      await storage.put('meta', 'a', { value: 1 });
      const failed = storage.update('meta', 'a', () => {
        throw new Error('on purpose');
      });
      equal(await rejectionOf(failed), 'on purpose');
      await storage.update('meta', 'a', (before) => ({ value: [before?.value] }));
      equal(await storage.get('meta', 'a'), { key: 'a', value: [1] });
    },
  },
  {
    name: 'keeps files and their type across updates until an update omits them',
    run: async (open) => {
      const storage = await open();
      const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251);
      const file = new Blob([bytes], { type: 'image/png' });
      const describe = async (kept: Blob | undefined) =>
        kept && [kept.type, (await kept.bytes()).join() === bytes.join()];
      await storage.put('outbox', 'a', { value: 1, file });
      await storage.put('outbox', 'b', { value: 2, file: new Blob([]) });
      equal(await describe((await storage.get('outbox', 'a'))?.file), ['image/png', true]);
      for (let round = 0; round < 3; round += 1) {
        await storage.update('outbox', 'a', (before) => ({
          value: Number(before?.value) + 1,
          file: before?.file,
        }));
      }
      const [first, second] = sorted(await storage.getAll('outbox'));
      equal(first?.value, 4);
      equal(await describe(first?.file), ['image/png', true]);
      equal([second?.file?.type, second?.file?.size], ['', 0]);
      await storage.update('outbox', 'b', () => ({ value: 3, file }));
      equal(await describe((await storage.get('outbox', 'b'))?.file), ['image/png', true]);
      await storage.update('outbox', 'a', () => ({ value: 5 }));
      equal(await storage.get('outbox', 'a'), { key: 'a', value: 5 });
    },
  },
  {
    name: 'clears some or all collections',
    run: async (open) => {
      const storage = await open();
      await storage.put('chats', 'a', { value: 1 });
      await storage.put('rooms', 'a', { value: 1 });
      await storage.put('drafts', 'a', { value: 1 });
      await storage.clear(['chats', 'rooms']);
      equal(await storage.getAll('chats'), []);
      equal(await storage.getAll('rooms'), []);
      equal(await storage.getAll('drafts'), [{ key: 'a', value: 1 }]);
      await storage.put('outbox', 'b', { value: 1 });
      await storage.clear();
      equal(await storage.getAll('drafts'), []);
      equal(await storage.getAll('outbox'), []);
    },
  },
  {
    name: 'erases all records, notifies other tabs and works on in all of them',
    run: async (open) => {
      const [own, other] = [await open(), await open()];
      const changes: StorageChange[] = [];
      other.onChange((change) => changes.push(change));
      await own.put('rooms', 'a', { value: 1, file: new Blob(['file']) });
      const [, late] = await Promise.all([own.erase(), own.put('drafts', 'a', { value: 2 })]);
      equal(late, undefined);
      equal(await own.getAll('rooms'), []);
      equal(await own.getAll('drafts'), [{ key: 'a', value: 2 }]);
      equal(await other.getAll('drafts'), [{ key: 'a', value: 2 }]);
      await until(() => changes.some(({ key, collection }) => !key && collection === 'rooms'));
      await other.put('drafts', 'b', { value: 3 });
      equal(await own.get('drafts', 'b'), { key: 'b', value: 3 });
    },
  },
  {
    name: 'notifies other tabs of changes, but not the tab that made them',
    run: async (open) => {
      const [own, other] = [await open(), await open()];
      const [ownChanges, otherChanges]: [StorageChange[], StorageChange[]] = [[], []];
      own.onChange((change) => ownChanges.push(change));
      const stop = other.onChange((change) => otherChanges.push(change));
      await own.put('drafts', 'a', { value: 1 });
      await own.update('drafts', 'b', () => ({ value: 1 }));
      await own.update('drafts', 'b', () => 'keep');
      await own.delete('drafts', 'b');
      await own.clear(['outbox']);
      await until(() => otherChanges.length === 4);
      equal(
        otherChanges.map(({ collection, key }) => [collection, key ?? 'all']),
        [
          ['drafts', 'a'],
          ['drafts', 'b'],
          ['drafts', 'b'],
          ['outbox', 'all'],
        ],
      );
      equal(await other.getAll('drafts'), [{ key: 'a', value: 1 }]);
      equal(ownChanges, []);
      stop();
      await own.put('drafts', 'c', { value: 1 });
      await other.put('drafts', 'd', { value: 1 });
      await until(() => ownChanges.length === 1);
      equal(otherChanges.length, 4);
    },
  },
  {
    name: 'completes earlier writes when it is closed, and rejects later calls',
    run: async (open) => {
      const [storage, other] = [await open(), await open()];
      const changes: StorageChange[] = [];
      other.onChange((change) => changes.push(change));
      const file = new Blob(['file']);
      const put = storage.put('outbox', 'a', { value: 1, file });
      storage.close();
      await put;
      for (const call of [
        storage.get('outbox', 'a'),
        storage.getAll('outbox'),
        storage.put('outbox', 'b', { value: 1 }),
        storage.update('outbox', 'a', () => undefined),
        storage.delete('outbox', 'a'),
        storage.clear(),
      ]) {
        equal(await rejectionOf(call), 'the storage is closed');
      }
      equal(
        (await other.getAll('outbox')).map(({ key, value }) => [key, value]),
        [['a', 1]],
      );
      await until(() => changes.length === 1);
    },
  },
];

function sorted<T extends { readonly key: string }>(records: readonly T[]): T[] {
  return records.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

function equal(actual: unknown, expected: unknown): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`expected ${wanted}, found ${found}`);
}

async function rejectionOf(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Timeout of a wait in milliseconds. Only failures take this long. */
const TIMEOUT_MS = 20_000;

async function until(isDone: () => boolean): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!isDone()) {
    if (Date.now() > deadline) throw new Error('timed out');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
