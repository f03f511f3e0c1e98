import type { SessionEndReason } from '@parley/contract';
import { hasFields, isText } from '../api/responses.ts';
import type { TextStorage } from '../platform.ts';
import { createStoredRecord, type StoredRecord } from './stored-record.ts';

/** A user whose data must be erased because their session ended. */
export interface PendingErasure {
  username: string;
  /** Another version of the app may have written a reason that this one does not know. */
  reason: SessionEndReason | (string & {});
}

/**
 * Opens the record of an erasure that has not completed. It is written before the erasure starts,
 * so that the next start completes the erasure if the page is closed in the meantime.
 */
export function openPendingErasure(
  texts: Pick<TextStorage, 'getItem' | 'setItem' | 'removeItem'>,
): StoredRecord<PendingErasure | undefined> {
  return createStoredRecord(texts, 'parley.erase-pending', undefined, (value) =>
    hasFields(value, { username: isText, reason: isText }) ? (value as PendingErasure) : undefined,
  );
}
