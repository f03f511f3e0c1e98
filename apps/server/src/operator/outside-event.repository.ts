import type { Writer } from '../storage/storage.ts';
import type { DomainEvent } from '../events.ts';

/** Leaves events for the running server, within the write that gave rise to them. */
export async function leaveEvents(trx: Writer, events: readonly DomainEvent[]): Promise<void> {
  for (const event of events) {
    await trx
      .insertInto('outside_events')
      .values({ event: JSON.stringify(event) })
      .execute();
  }
}

/** Takes the events that were left, in the order in which they happened. */
export async function takeEvents(trx: Writer): Promise<DomainEvent[]> {
  const left = await trx.deleteFrom('outside_events').returning(['id', 'event']).execute();
  return left.toSorted((a, b) => a.id - b.id).map(({ event }) => JSON.parse(event));
}
