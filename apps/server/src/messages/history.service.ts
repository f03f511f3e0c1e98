import { LIMITS, type DeletedMessage, type PageQuery } from '@parley/contract';
import type { Reader } from '../storage/storage.ts';
import type { ViewedMessage } from '../viewed-message.ts';
import { RESPONSE_BYTES, readBounded, type Allowance } from './bounded-read.ts';
import {
  listChanges,
  listMessagesAfter,
  listMessagesBefore,
  type ChangeRow,
  type MessageRow,
  type Viewer,
} from './message.repository.ts';
import { toDeletedMessage, viewAll } from './message-view.service.ts';

/** Returns the allowance of a response with at most `rows` messages. */
export function responseAllowance(rows: number): Allowance {
  return { rows, bytes: RESPONSE_BYTES };
}

/** A page of a chatroom. */
interface Page {
  messages: ViewedMessage[];
  /** Whether older messages exist. */
  hasMore: boolean;
  hasNewer: boolean;
}

/**
 * Reads the messages that the viewer sees, oldest first, as far as they fit into a response: the newest
 * ones, or those before, after or on both sides of a `seq`, the one with this `seq` included.
 */
export async function readPage(
  db: Reader,
  viewer: Viewer,
  { before, after, around, limit = LIMITS.pageDefault }: PageQuery,
): Promise<Page> {
  const { viewerId } = viewer;
  const readOlder = (from: number, allowance: Allowance) =>
    readBounded<MessageRow>(allowance, (last, count) =>
      listMessagesBefore(db, { ...viewer, before: last?.seq ?? from, limit: count }),
    );
  const readNewer = (from: number, allowance: Allowance) =>
    readBounded<MessageRow>(allowance, (last, count) =>
      listMessagesAfter(db, { ...viewer, after: last?.seq ?? from, limit: count }),
    );
  const total = responseAllowance(limit);
  // Larger numbers are out of the range of PostgreSQL.
  const seq = Math.min(around ?? after ?? before ?? Infinity, Number.MAX_SAFE_INTEGER);
  if (around !== undefined) {
    const half = { rows: Math.ceil(limit / 2), bytes: total.bytes / 2 };
    const newer = await readNewer(seq - 1, half);
    const older = await readOlder(seq, { ...half, rows: limit - newer.rows.length });
    const messages = await viewAll(db, [...older.rows.toReversed(), ...newer.rows], viewerId);
    return { messages, hasMore: older.hasMore, hasNewer: newer.hasMore };
  }
  if (after !== undefined) {
    const { rows, hasMore: hasNewer } = await readNewer(seq, total);
    const range = { ...viewer, before: rows[0]?.seq ?? seq + 1, limit: 1 };
    const hasMore = (await listMessagesBefore(db, range)).length > 0;
    return { messages: await viewAll(db, rows, viewerId), hasMore, hasNewer };
  }
  const { rows, hasMore } = await readOlder(seq, total);
  const messages = await viewAll(db, rows.toReversed(), viewerId);
  return { messages, hasMore, hasNewer: false };
}

/** The changes of a chatroom after a revision. */
export interface ChatroomChanges {
  readonly updated: ViewedMessage[];
  readonly deleted: DeletedMessage[];
  /** Revision of the newest included change; undefined if there is none. */
  readonly rev: number | undefined;
  readonly hasMore: boolean;
  /** The allowance that remains for other chatrooms. */
  readonly remaining: Allowance;
}

/**
 * Reads the changes of a chatroom after a revision, as far as the allowance permits. Messages that the
 * viewer cannot see count as deleted.
 */
export async function readChanges(
  db: Reader,
  chatroomId: string,
  viewerId: string,
  since: number,
  allowance: Allowance,
): Promise<ChatroomChanges> {
  const { rows, hasMore, remaining } = await readBounded<ChangeRow>(allowance, (last, limit) =>
    listChanges(db, { chatroomId, viewerId, since: last?.rev ?? since, limit }),
  );
  const visible = rows.filter((row) => row.deleted_at === null);
  return {
    updated: await viewAll(db, visible, viewerId),
    deleted: rows.filter((row) => row.deleted_at !== null).map((row) => toDeletedMessage(row)),
    rev: rows.at(-1)?.rev,
    hasMore,
    remaining,
  };
}
