import { sql } from 'kysely';
import type { Context } from '../src/context.ts';
import type { Writer } from '../src/storage/storage.ts';
import { emptyAllTablesBut } from './test-database.ts';

/** Tables whose rows a running server needs. */
const KEPT = ['media_usage', 'secrets', 'heartbeat'];

/** Deletes all rows that a running server does not need to go on. */
export async function deleteRows({
  storage,
  cluster,
}: Pick<Context, 'storage' | 'cluster'>): Promise<void> {
  await storage.write(async ({ trx }) => {
    if (cluster.isShared) await sql.raw(emptyAllTablesBut(['kysely%', ...KEPT])).execute(trx);
    else await deleteOnSqlite(trx);
  });
}

async function deleteOnSqlite(trx: Writer): Promise<void> {
  await sql`pragma defer_foreign_keys = on`.execute(trx);
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master
    where type = 'table' and name not like 'kysely%' and name not like 'sqlite%'
      and name not in (${sql.join(KEPT)})`.execute(trx);
  // Deleted uploads leave rows in another table.
  for (const name of ['media', ...rows.map((row) => row.name)]) {
    await sql`delete from ${sql.table(name)}`.execute(trx);
  }
  await sql`update media_usage set files = 0, bytes = 0`.execute(trx);
}
