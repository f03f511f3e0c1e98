import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEventBus, type DomainEvent, type EventBus } from '../../domain-events.ts';
import type { Database } from '../database.ts';
import { openServerDatabase } from '../open.ts';
import type { Storage } from '../storage.ts';

let dataDir: string;
let database: Database;
let storage: Storage;
let events: EventBus;
/** Number of writes of each transaction. */
let batches: number[];
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-queue-'));
  const log = pino({ level: 'silent' });
  events = createEventBus(log);
  const onCommitted = (writes: number) => void batches.push(writes);
  database = await openServerDatabase({ dataDir }, { ...events, onCommitted }, log);
  ({ storage } = database);
  batches = [];
});
afterEach(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const createEvent = (chatroomId: string): DomainEvent => ({
  type: 'relationship-changed',
  userId: '',
  chatroomId,
});

test('rolls back only the failed write of a batch', async () => {
  const published: string[] = [];
  events.subscribe((e) => {
    if (e.type === 'relationship-changed') published.push(e.chatroomId);
  });
  const insert = (name: string, shouldFail = false) =>
    storage.write(async ({ trx, emit }) => {
      await trx.insertInto('secrets').values({ name, value: name }).execute();
      emit(createEvent(name));
      if (shouldFail) throw new Error('no');
      return name;
    });

  const results = await Promise.allSettled([insert('a'), insert('b', true), insert('c')]);

  expect(results.map((r) => r.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(published).toEqual(['a', 'c']);
  const rows = await storage.read((db) =>
    db.selectFrom('secrets').select('name').orderBy('name').execute(),
  );
  expect(rows.map((r) => r.name)).toEqual(['a', 'c']);
});

test('rejects every write of a batch and publishes nothing if the commit fails', async () => {
  let published = 0;
  events.subscribe(() => published++);
  await storage.write(async ({ trx }) => {
    await sql`create table parent (id integer primary key)`.execute(trx);
    await sql`create table child (id integer references parent (id) on delete cascade) strict`.execute(
      trx,
    );
  });

  const results = await Promise.allSettled([
    storage.write(async ({ trx, emit }) => {
      emit(createEvent('x'));
      await trx.insertInto('secrets').values({ name: 'x', value: 'x' }).execute();
    }),
    // This violation is detected only at the commit, as a full disk may be.
    storage.write(async ({ trx }) => {
      await sql`pragma defer_foreign_keys = on`.execute(trx);
      await sql`insert into child (id) values (1)`.execute(trx);
    }),
  ]);

  expect(results.map((r) => r.status)).toEqual(['rejected', 'rejected']);
  expect(published).toBe(0);
  const remaining = await storage.read((db) =>
    db.selectFrom('secrets').selectAll().where('name', '=', 'x').execute(),
  );
  expect(remaining).toEqual([]);
  await expect(storage.write(async () => 'still works')).resolves.toBe('still works');
});

test('continues a transaction that takes long in up to three further turns of the event loop', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  let turn = 0;
  let isDone = false;
  const countTurns = () => {
    turn += 1;
    if (!isDone) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const turns: number[] = [];
  const write = () =>
    storage.write(async () => {
      now += 4;
      turns.push(turn);
    });
  await Promise.all(Array.from({ length: 10 }, write));
  isDone = true;
  expect(new Set(turns.slice(0, 8)).size).toBe(4);
  expect(batches).toEqual([8, 2]);
});

test('delivers events to every listener even if one of them throws', async () => {
  const published: string[] = [];
  events.subscribe(() => {
    throw new Error('a faulty listener');
  });
  events.subscribe((e) => published.push(e.type));
  await storage.write(async ({ emit }) => emit(createEvent('a')));
  await storage.write(async ({ emit }) => emit(createEvent('b')));
  expect(published).toEqual(['relationship-changed', 'relationship-changed']);
});
