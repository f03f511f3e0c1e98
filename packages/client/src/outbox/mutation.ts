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
