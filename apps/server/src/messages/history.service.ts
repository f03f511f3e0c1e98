import type { DeletedMessage } from '@parley/contract';
import type { Reader, Writer } from '../storage/storage.ts';
import type { ViewedMessage } from '../viewed-message.ts';
import { RESPONSE_BYTES, readBounded, type Allowance, type BoundedRows } from './bounded-read.ts';
import {
  listChanges,
  listMessagesAfter,
  listMessagesBefore,
  type ChangeRow,
  type MessageRow,
} from './message.repository.ts';
import { toDeletedMessage, viewAll } from './message-view.service.ts';
import * as sending from './sending.repository.ts';

/** Returns the allowance of a response with at most `rows` messages. */
export function responseAllowance(rows: number): Allowance {
  return { rows, bytes: RESPONSE_BYTES };
}

/**
 * Reads the newest messages below a `seq` that the viewer sees, oldest first, as far as they fit into
 * a response.
 */
export async function readPage(
  db: Reader,
  chatroomId: string,
  viewerId: string,
  { before, limit }: { before: number; limit: number },
): Promise<{ messages: ViewedMessage[]; hasMore: boolean }> {
  const page = await readBounded<MessageRow>(responseAllowance(limit), (last, count) =>
    listMessagesBefore(db, chatroomId, viewerId, last?.seq ?? before, count),
  );
  const messages = await viewAll(db, page.rows.toReversed(), viewerId);
  return { messages, hasMore: page.hasMore };
}

/** A page of a chatroom that may have newer messages after it. */
export interface MiddlePage {
  messages: ViewedMessage[];
  /** Whether older messages exist. */
  hasMore: boolean;
  hasNewer: boolean;
}

/** Reads the oldest messages above a `seq` that the viewer sees, as far as they fit into a response. */
export async function readPageAfter(
  db: Reader,
  chatroomId: string,
  viewerId: string,
  { after, limit }: { after: number; limit: number },
): Promise<MiddlePage> {
  const { rows, hasMore: hasNewer } = await readRowsAfter(
    db,
    chatroomId,
    viewerId,
    after,
    responseAllowance(limit),
  );
  const first = rows[0]?.seq ?? after + 1;
  const older = await listMessagesBefore(db, chatroomId, viewerId, first, 1);
  const messages = await viewAll(db, rows, viewerId);
  return { messages, hasMore: older.length > 0, hasNewer };
}

/**
 * Reads the messages on both sides of a `seq` that the viewer sees, the one with this `seq` included,
 * oldest first, as far as they fit into a response.
 */
export async function readPageAround(
  db: Reader,
  chatroomId: string,
  viewerId: string,
  { around, limit }: { around: number; limit: number },
): Promise<MiddlePage> {
  const total = responseAllowance(limit);
  const half = { rows: Math.ceil(limit / 2), bytes: total.bytes / 2 };
  const newer = await readRowsAfter(db, chatroomId, viewerId, around - 1, half);
  const rest = { rows: limit - newer.rows.length, bytes: half.bytes };
  const older = await readBounded<MessageRow>(rest, (last, count) =>
    listMessagesBefore(db, chatroomId, viewerId, last?.seq ?? around, count),
  );
  const rows = [...older.rows.toReversed(), ...newer.rows];
  const messages = await viewAll(db, rows, viewerId);
  return { messages, hasMore: older.hasMore, hasNewer: newer.hasMore };
}

function readRowsAfter(
  db: Reader,
  chatroomId: string,
  viewerId: string,
  after: number,
  allowance: Allowance,
): Promise<BoundedRows<MessageRow>> {
  return readBounded<MessageRow>(allowance, (last, count) =>
    listMessagesAfter(db, chatroomId, viewerId, last?.seq ?? after, count),
  );
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
  const { rows, hasMore, remaining } = await readBounded<ChangeRow>(allowance, (last, count) =>
    listChanges(db, chatroomId, viewerId, last?.rev ?? since, count),
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

/** Sets a member's read position to a `seq`. */
export function setReadPosition(
  trx: Writer,
  chatroomId: string,
  userId: string,
  seq: number,
): Promise<void> {
  return sending.setReadSeq(trx, chatroomId, userId, seq);
}
