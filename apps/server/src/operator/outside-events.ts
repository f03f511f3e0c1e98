import { sql, type Generated, type Kysely } from 'kysely';
import type { App, Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { DomainEvent } from '../events.ts';

/** What commands of an operator did to the database while, perhaps, a server runs on it. */
export interface OutsideEventsTable {
  id: Generated<number>;
  /** A domain event as JSON. */
  event: string;
}

/** How often the server looks whether another process has written, in milliseconds. */
const LOOK_EVERY = 1_000;

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

/** Publishes what commands of an operator did, so that people who are connected see it live. */
export function registerOutsideEvents(app: App, ctx: Context): void {
  let timer: NodeJS.Timeout | undefined;
  let seen: unknown;
  let looking = Promise.resolve();

  async function look(): Promise<void> {
    // Changes only when another connection has committed, and costs next to nothing to ask.
    const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(ctx.db);
    const version = rows[0]?.data_version;
    if (version === seen) return;
    await ctx.writes.write(async ({ trx, emit }) => {
      const left = await trx.deleteFrom('outside_events').returning(['id', 'event']).execute();
      for (const { event } of left.toSorted((a, b) => a.id - b.id)) emit(JSON.parse(event));
    });
    seen = version;
  }

  app.addHook('onReady', async () => {
    timer = setInterval(() => {
      looking = look().catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'changes of another process could not be read');
      });
    }, LOOK_EVERY).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await looking;
  });
}
