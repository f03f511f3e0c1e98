import type { Reader } from '../storage/storage.ts';
import type { ViewedMessage } from '../viewed-message.ts';
import { RESPONSE_BYTES } from './bounded-read.ts';
import { listMessagesById } from './message.repository.ts';
import { viewAll } from './message-view.service.ts';

export {
  findTimes,
  listIndexable,
  findRangeVersion,
  listVisible,
  type IndexableMessage,
  type RangeVersion,
  type SeqRange,
  type VisibleMessage,
} from './found-messages.repository.ts';

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
