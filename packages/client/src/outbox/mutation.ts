import type { Change } from './changes/change.ts';
import type { OutboxEntry } from './outbox-entry.ts';

/** What the user has made and the server has not confirmed: a message or file, or a change. */
export type Mutation = OutboxEntry | Change;

/** Returns whether a mutation is a change, not a message. */
export function isChange(mutation: Mutation): mutation is Change {
  return 'key' in mutation;
}

/** Returns the id of a mutation. */
export function idOf(mutation: Mutation): string {
  return isChange(mutation) ? mutation.key : mutation.clientId;
}

/** Returns mutations in the order in which they were made, which for messages is the sending order. */
export function sortMutations<M extends Mutation>(mutations: Iterable<M>): readonly M[] {
  return [...mutations].toSorted(
    (a, b) => a.order - b.order || (idOf(a) < idOf(b) ? -1 : Number(idOf(a) > idOf(b))),
  );
}
