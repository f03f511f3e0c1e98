import type { Reader } from '../storage/storage.ts';
import type { ViewedMessage } from '../viewed-message.ts';
import { RESPONSE_BYTES } from './bounded-read.ts';
import * as repository from './found-messages.repository.ts';
import { listMessagesById } from './message.repository.ts';
import { viewAll } from './message-view.service.ts';

export type {
  IndexableMessage,
  RangeVersion,
  SeqRange,
  VisibleMessage,
} from './found-messages.repository.ts';

/** Returns the messages in ranges that are not deleted, also those the user may not see, by chatroom and `seq`. */
export function listIndexable(
  db: Reader,
  ranges: readonly repository.SeqRange[],
): Promise<repository.IndexableMessage[]> {
  return repository.findIndexable(db, ranges);
}

/** Returns the version of the messages in a range, which is another one after a change. */
export function findRangeVersion(
  db: Reader,
  range: repository.SeqRange,
): Promise<repository.RangeVersion> {
  return repository.selectRangeVersion(db, range);
}

/** Returns the messages in ranges that a user sees, in any order. */
export function listVisible(
  db: Reader,
  viewerId: string,
  ranges: readonly repository.SeqRange[],
): Promise<repository.VisibleMessage[]> {
  return repository.findVisible(db, viewerId, ranges);
}

/** Returns when messages were sent, one per chatroom, by chatroom. They may be deleted. */
export function findTimes(
  db: Reader,
  positions: readonly { readonly chatroomId: string; readonly seq: number }[],
): Promise<Map<string, number>> {
  return repository.findSentTimes(db, positions);
}

/**
 * Reads messages by their ids, in this order, as the viewer sees them and as far as they fit into a
 * response: at least one, if there is one.
 */
export async function readMessagesById(
  db: Reader,
  ids: readonly string[],
  viewerId: string,
): Promise<ViewedMessage[]> {
  const found = new Map(
    (await listMessagesById(db, ids, viewerId)).map((row) => [row.id, row] as const),
  );
  const rows = [];
  let bytes = 0;
  for (const id of ids) {
    const row = found.get(id);
    if (row === undefined) continue;
    rows.push(row);
    bytes += Buffer.byteLength(JSON.stringify(row.content));
    if (bytes >= RESPONSE_BYTES) break;
  }
  return viewAll(db, rows, viewerId);
}
