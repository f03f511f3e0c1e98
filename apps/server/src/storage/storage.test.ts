import { mkdtempSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { StorageMisuseError } from './errors.ts';
import { openServerStorage } from './open.ts';
import { Undone, type Reader, type Storage, type WriteContext, type Writer } from './storage.ts';

let dataDir: string;
let storage: Storage;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-storage-'));
  const observer = { publish: () => undefined };
  storage = await openServerStorage(dataDir, observer, pino({ level: 'silent' }));
});
afterEach(async () => {
  await storage.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const names = async (db: Reader) => {
  const rows = await db.selectFrom('secrets').select('name').orderBy('name').execute();
  return rows.map(({ name }) => name);
};
const insert = async (trx: Writer, name: string) => {
  await trx.insertInto('secrets').values({ name, value: '' }).execute();
};

test('a writer is accepted where a reader is needed, and not the other way round', () => {
  expectTypeOf<Writer>().toExtend<Reader>();
  expectTypeOf<Reader>().not.toExtend<Writer>();
  expectTypeOf<Reader>().not.toHaveProperty('insertInto');
  expectTypeOf<Reader>().not.toHaveProperty('getExecutor');
  // @ts-expect-error A reader cannot be passed to a function that writes.
  const misuse = (db: Reader) => insert(db, 'a');
  expect(misuse).toBeTypeOf('function');
});

test('a reader cannot write even if it is cast to a writer', async () => {
  await expect(storage.read((db) => insert(db as Writer, 'a'))).rejects.toThrow('readonly');
  expect(await storage.read(names)).toEqual([]);
});

test('all queries of a read see the same moment', async () => {
  const writeMeanwhile = Promise.withResolvers<void>();
  const reading = storage.read(async (db) => {
    const before = await names(db);
    await writeMeanwhile.promise;
    return [before, await names(db)];
  });
  await storage.write(({ trx }) => insert(trx, 'a'));
  writeMeanwhile.resolve();
  expect(await reading).toEqual([[], []]);
  expect(await storage.read(names)).toEqual(['a']);
});

test('a read does not wait for a write that is under way', async () => {
  const finish = Promise.withResolvers<void>();
  const writing = storage.write(async ({ trx }) => {
    await insert(trx, 'a');
    await finish.promise;
  });
  // Until the write has begun.
  await sleep(20);
  expect(await storage.read(names)).toEqual([]);
  finish.resolve();
  await writing;
  expect(await storage.read(names)).toEqual(['a']);
});

test('more reads than connections at the same time all get their turn', async () => {
  await storage.write(({ trx }) => insert(trx, 'a'));
  const reads = Array.from({ length: 50 }, () =>
    storage.read(async (db) => {
      await sleep(1);
      return names(db);
    }),
  );
  expect(await Promise.all(reads)).toEqual(reads.map(() => ['a']));
});

test('a write can undo what it did and still resolve with a value', async () => {
  const result = await storage.write(async ({ trx, emit }) => {
    await insert(trx, 'a');
    emit({ type: 'mail-queued' });
    return new Undone('nothing new');
  });
  expect(result).toBe('nothing new');
  expect(await storage.read(names)).toEqual([]);
});

describe('an operation inside of a read or write is refused at once:', () => {
  const operations: Record<string, () => Promise<unknown>> = {
    read: () => storage.read(names),
    write: () => storage.write(({ trx }) => insert(trx, 'inner')),
    idle: () => storage.idle(),
    close: () => storage.close(),
    cutLog: () => storage.cutLog(),
    rewrite: () => storage.rewrite(),
    snapshot: () => storage.snapshot(join(dataDir, 'copy.db')),
    schema: () => storage.schema(),
  };

  test.each(Object.keys(operations))('%s', async (name) => {
    const call = operations[name] ?? (() => Promise.resolve());
    const message = (outer: string) =>
      `storage.${name} was called inside of storage.${outer}. Pass on the reader or the write context`;
    await expect(storage.read(call)).rejects.toThrow(message('read'));
    await expect(storage.write(call)).rejects.toThrow(message('write'));
    await expect(storage.write(call)).rejects.toBeInstanceOf(StorageMisuseError);
    // Nothing is blocked by it.
    await storage.write(({ trx }) => insert(trx, 'after'));
    expect(await storage.read(names)).toEqual(['after']);
  });
});

test('work that was started inside of a write may open its own doors once the write is over', async () => {
  let later: Promise<string[]> | undefined;
  const isCommitted = Promise.withResolvers<void>();
  await storage.write(async ({ trx }) => {
    await insert(trx, 'a');
    later = isCommitted.promise.then(async () => {
      await storage.write((write) => insert(write.trx, 'b'));
      return storage.read(names);
    });
  });
  isCommitted.resolve();
  expect(await later).toEqual(['a', 'b']);
});

test('a read or write that is over refuses further queries and events', async () => {
  const reader = await storage.read(async (db) => ({ db }));
  const write = await storage.write(async (context): Promise<WriteContext> => context);
  await expect(names(reader.db)).rejects.toThrow('A storage.read was used after it was over.');
  await expect(insert(write.trx, 'a')).rejects.toThrow(
    'A storage.write was used after it was over.',
  );
  expect(() => write.emit({ type: 'mail-queued' })).toThrow(StorageMisuseError);
  expect(await storage.read(names)).toEqual([]);
});

test('a closed storage refuses reads and writes', async () => {
  const closing = mkdtempSync(join(tmpdir(), 'parley-closed-'));
  const observer = { publish: () => undefined };
  const closed = await openServerStorage(closing, observer, pino({ level: 'silent' }));
  await closed.close();
  await expect(closed.read(names)).rejects.toThrow('closed');
  await expect(closed.write(({ trx }) => insert(trx, 'a'))).rejects.toThrow('not open');
  rmSync(closing, { recursive: true, force: true });
});
