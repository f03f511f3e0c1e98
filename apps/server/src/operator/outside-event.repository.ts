import { sql, type Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import type { DomainEvent } from '../events.ts';

/** Leaves events for the running server, within the write that gave rise to them. */
export async function leaveEvents(
  trx: Kysely<Database>,
  events: readonly DomainEvent[],
): Promise<void> {
  for (const event of events) {
    await trx
      .insertInto('outside_events')
      .values({ event: JSON.stringify(event) })
      .execute();
  }
}

/** Takes the events that were left, in the order in which they happened. */
export async function takeEvents(trx: Kysely<Database>): Promise<DomainEvent[]> {
  const left = await trx.deleteFrom('outside_events').returning(['id', 'event']).execute();
  return left.toSorted((a, b) => a.id - b.id).map(({ event }) => JSON.parse(event));
}

/** Changes only when another connection has committed, and costs next to nothing to ask. */
export async function readDataVersion(db: Kysely<Database>): Promise<number | undefined> {
  const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(db);
  return rows[0]?.data_version;
}
