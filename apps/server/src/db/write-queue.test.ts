import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/harness.ts';
import type { DomainEvent } from '../events.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

const event = (chatroom: string): DomainEvent => ({
  type: 'partner-deleted',
  chatroom,
  members: [],
});

test('a write that throws is undone alone; its neighbours in the same batch are kept', async () => {
  const { writes, db, events } = server.ctx;
  const published: string[] = [];
  events.subscribe((e) => {
    if (e.type === 'partner-deleted') published.push(e.chatroom);
  });
  const insert = (name: string, fail = false) =>
    writes.write(async ({ trx, emit }) => {
      await trx.insertInto('secrets').values({ name, value: name }).execute();
      emit(event(name));
      if (fail) throw new Error('no');
      return name;
    });

  const results = await Promise.allSettled([insert('a'), insert('b', true), insert('c')]);

  expect(results.map((r) => r.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(published).toEqual(['a', 'c']);
  const rows = await db.selectFrom('secrets').select('name').orderBy('name').execute();
  expect(rows.map((r) => r.name)).toEqual(['a', 'c', 'device', 'session']);
});

test('a batch whose commit fails rejects every write and publishes nothing', async () => {
  const { writes, db, events } = server.ctx;
  let published = 0;
  events.subscribe(() => published++);
  await db.schema
    .createTable('parent')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .execute();
  await db.schema
    .createTable('child')
    .addColumn('id', 'integer', (c) => c.references('parent.id').onDelete('cascade'))
    .modifyEnd((await import('kysely')).sql`strict`)
    .execute();
  const { sql } = await import('kysely');

  const results = await Promise.allSettled([
    writes.write(async ({ trx, emit }) => {
      emit(event('x'));
      await trx.insertInto('secrets').values({ name: 'x', value: 'x' }).execute();
    }),
    // The violation shows only at the commit, as a full disk can.
    writes.write(async ({ trx }) => {
      await sql`pragma defer_foreign_keys = on`.execute(trx);
      await sql`insert into child (id) values (1)`.execute(trx);
    }),
  ]);

  expect(results.map((r) => r.status)).toEqual(['rejected', 'rejected']);
  expect(published).toBe(0);
  const left = await db.selectFrom('secrets').selectAll().where('name', '=', 'x').execute();
  expect(left).toEqual([]);
  await expect(writes.write(async () => 'still works')).resolves.toBe('still works');
});
