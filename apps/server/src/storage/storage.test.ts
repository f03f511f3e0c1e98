import { mkdtempSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { StorageMisuseError } from './storage-errors.ts';
import type { Database } from './database.ts';
import { openServerDatabase } from './open.ts';
import { Rollback, type Reader, type Storage, type WriteContext, type Writer } from './storage.ts';

let dataDir: string;
let database: Database;
let storage: Storage;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-storage-'));
  const observer = { publish: () => undefined };
  database = await openServerDatabase({ dataDir }, observer, pino({ level: 'silent' }));
  ({ storage } = database);
});
afterEach(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const names = async (db: Reader) => {
  const rows = await db.selectFrom('secrets').select('name').orderBy('name').execute();
  return rows.map(({ name }) => name);
};
const insert = async (trx: Writer, name: string) => {
  await trx.insertInto('secrets').values({ name, value: '' }).execute();
};

test('accepts a writer where a reader is needed, but not a reader where a writer is needed', () => {
  expectTypeOf<Writer>().toExtend<Reader>();
  expectTypeOf<Reader>().not.toExtend<Writer>();
  expectTypeOf<Reader>().not.toHaveProperty('insertInto');
  expectTypeOf<Reader>().not.toHaveProperty('getExecutor');
  // @ts-expect-error A reader cannot be passed to a function that writes.
  const misuse = (db: Reader) => insert(db, 'a');
  expect(misuse).toBeTypeOf('function');
});

test('rejects a write through a reader that is cast to a writer', async () => {
  await expect(storage.read((db) => insert(db as Writer, 'a'))).rejects.toThrow('readonly');
  expect(await storage.read(names)).toEqual([]);
});

test('all queries of a read see the same snapshot', async () => {
  const written = Promise.withResolvers<void>();
  const reading = storage.read(async (db) => {
    const before = await names(db);
    await written.promise;
    return [before, await names(db)];
  });
  await storage.write(({ trx }) => insert(trx, 'a'));
  written.resolve();
  expect(await reading).toEqual([[], []]);
  expect(await storage.read(names)).toEqual(['a']);
});

test('reads do not wait for a write in progress', async () => {
  const finish = Promise.withResolvers<void>();
  const writing = storage.write(async ({ trx }) => {
    await insert(trx, 'a');
    await finish.promise;
  });
  // Wait until the write has begun.
  await sleep(20);
  expect(await storage.read(names)).toEqual([]);
  finish.resolve();
  await writing;
  expect(await storage.read(names)).toEqual(['a']);
});

test('serves more simultaneous reads than there are connections', async () => {
  await storage.write(({ trx }) => insert(trx, 'a'));
  const reads = Array.from({ length: 50 }, () =>
    storage.read(async (db) => {
      await sleep(1);
      return names(db);
    }),
  );
  expect(await Promise.all(reads)).toEqual(reads.map(() => ['a']));
});

test('rolls back a write that returns a Rollback and resolves with its value', async () => {
  const result = await storage.write(async ({ trx, emit }) => {
    await insert(trx, 'a');
    emit({ type: 'mail-queued' });
    return new Rollback('nothing new');
  });
  expect(result).toBe('nothing new');
  expect(await storage.read(names)).toEqual([]);
});

describe('calling an operation inside a read or write', () => {
  const operations: Record<string, () => Promise<unknown>> = {
    'storage.read': () => storage.read(names),
    'storage.write': () => storage.write(({ trx }) => insert(trx, 'inner')),
    'database.close': () => database.close(),
    'maintenance.truncateWriteAheadLog': () => database.maintenance.truncateWriteAheadLog(),
    'maintenance.rewrite': () => database.maintenance.rewrite(),
    'maintenance.snapshot': () => database.maintenance.snapshot(join(dataDir, 'copy.db')),
    'maintenance.schema': () => database.maintenance.schema(),
    'maintenance.id': () => database.maintenance.id(),
  };

  test.each(Object.keys(operations))('rejects %s immediately', async (name) => {
    const call = operations[name] ?? (() => Promise.resolve());
    const message = (outer: string) =>
      `${name} was called inside storage.${outer}. Pass on the reader or the write context`;
    await expect(storage.read(call)).rejects.toThrow(message('read'));
    await expect(storage.write(call)).rejects.toThrow(message('write'));
    await expect(storage.write(call)).rejects.toBeInstanceOf(StorageMisuseError);
    // The storage is not blocked afterwards.
    await storage.write(({ trx }) => insert(trx, 'after'));
    expect(await storage.read(names)).toEqual(['after']);
  });
});

test('work started by a write can read and write once the write has ended', async () => {
  let later: Promise<string[]> | undefined;
  const committed = Promise.withResolvers<void>();
  await storage.write(async ({ trx }) => {
    await insert(trx, 'a');
    later = committed.promise.then(async () => {
      await storage.write((write) => insert(write.trx, 'b'));
      return storage.read(names);
    });
  });
  committed.resolve();
  expect(await later).toEqual(['a', 'b']);
});

test('rejects queries and events of a read or write that has ended', async () => {
  const reader = await storage.read(async (db) => ({ db }));
  const write = await storage.write(async (context): Promise<WriteContext> => context);
  await expect(names(reader.db)).rejects.toThrow('A storage.read was used after it had ended.');
  await expect(insert(write.trx, 'a')).rejects.toThrow(
    'A storage.write was used after it had ended.',
  );
  expect(() => write.emit({ type: 'mail-queued' })).toThrow(StorageMisuseError);
  expect(await storage.read(names)).toEqual([]);
});

test('rejects reads and writes after the storage was closed', async () => {
  const closing = mkdtempSync(join(tmpdir(), 'parley-closed-'));
  const observer = { publish: () => undefined };
  const log = pino({ level: 'silent' });
  const closed = await openServerDatabase({ dataDir: closing }, observer, log);
  await closed.close();
  await expect(closed.storage.read(names)).rejects.toThrow('closed');
  await expect(closed.storage.write(({ trx }) => insert(trx, 'a'))).rejects.toThrow('not open');
  rmSync(closing, { recursive: true, force: true });
});
