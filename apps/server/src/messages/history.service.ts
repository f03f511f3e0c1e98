import type { DeletedMessage, Message } from '@parley/contract';
import type { Config } from '../config.ts';
import type { Reader, Writer } from '../storage/storage.ts';
import { RESPONSE_BYTES, readBounded, type Allowance } from './bounded-read.ts';
import { listChanges, listMessagesBefore, type ChangeRow } from './message.repository.ts';
import { toDeletedMessage, type MessageRow } from './message.wire.ts';
import { toMessages } from './reaction.wire.ts';
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
  config: Config,
  db: Reader,
  chatroomId: string,
  viewerId: string,
  { before, limit }: { before: number; limit: number },
): Promise<{ messages: Message[]; hasMore: boolean }> {
  const page = await readBounded<MessageRow>(responseAllowance(limit), (last, count) =>
    listMessagesBefore(db, chatroomId, viewerId, last?.seq ?? before, count),
  );
  const messages = await toMessages(config, db, page.rows.toReversed(), viewerId);
  return { messages, hasMore: page.hasMore };
}

/** The changes of a chatroom after a revision. */
export interface ChatroomChanges {
  readonly updated: Message[];
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
  config: Config,
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
    updated: await toMessages(config, db, visible, viewerId),
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
