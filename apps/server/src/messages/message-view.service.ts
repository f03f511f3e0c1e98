import {
  cutExcerpt,
  isTextual,
  LIMITS,
  type DeletedMessage,
  type MediaInfo,
  type Reaction,
} from '@parley/contract';
import type { Reader } from '../storage/storage.ts';
import { toContent, toTimestamp, type ViewedMessage, type ViewedQuote } from '../viewed-message.ts';
import type { MessageRow } from './message.repository.ts';
import { findQuoted, type QuotedRow } from './quote.repository.ts';
import { findReactions, type ReactionRow } from './reaction.repository.ts';

/** What is shown with messages, including what not everyone sees. */
export interface MessageExtras {
  /** Reactions by message id, oldest first. */
  readonly reactions: ReadonlyMap<string, readonly ReactionRow[]>;
  /** The messages that others reply to, by id. */
  readonly quoted: ReadonlyMap<string, QuotedRow>;
}

/**
 * Reads what is shown with messages, with one query each for all of them, except for the `known`
 * originals.
 */
export async function findExtras(
  db: Reader,
  rows: readonly Pick<MessageRow, 'id' | 'reply_to_id'>[],
  known: ReadonlyMap<string, QuotedRow> = new Map(),
): Promise<MessageExtras> {
  const ids = rows.map(({ id }) => id);
  const quotedIds = new Set(
    rows.flatMap(({ reply_to_id: id }) => (id === null || known.has(id) ? [] : [id])),
  );
  const [reactions, quoted] = [await findReactions(db, ids), await findQuoted(db, [...quotedIds])];
  return {
    reactions: Map.groupBy(reactions, (reaction) => reaction.message_id),
    quoted: new Map([...known, ...quoted.map((row) => [row.id, row] as const)]),
  };
}

/** Converts reactions to a message, oldest first, to those that a viewer sees, grouped by emoji. */
function toReactions(rows: readonly ReactionRow[], viewerId: string): Reaction[] {
  const names = new Map<string, string[]>();
  for (const { emoji, username, user_id: userId, withheld } of rows) {
    if (withheld === 1 && userId !== viewerId) continue;
    names.set(emoji, [...(names.get(emoji) ?? []), username]);
  }
  return [...names].map(([emoji, usernames]) => ({ emoji, usernames }));
}

/** Converts a message that others reply to into the quote that a viewer sees. */
function toQuote(row: QuotedRow, viewerId: string): ViewedQuote {
  const { id: messageId, seq, username, kind } = row;
  const isHidden = row.sender_id === viewerId ? row.is_hidden_from_sender : row.is_hidden;
  if (row.is_deleted === 1 || isHidden === 1) {
    return { messageId, seq, username: '', kind: 'text', content: '', isDeleted: true };
  }
  const hasContent = isTextual(kind) || (kind === 'image' && row.is_blocked !== 1);
  return { messageId, seq, username, kind, content: hasContent ? toContent(row) : '' };
}

/** Returns a message that the viewer sees as one that others reply to, without reading it again. */
function toQuoted({ id, seq, kind, content, username, file, is_blocked }: MessageRow): QuotedRow {
  return {
    id,
    seq,
    kind,
    content: cutExcerpt(content, LIMITS.quoteExcerpt),
    sender_id: null,
    username,
    file,
    is_blocked,
    is_deleted: 0,
    is_hidden: 0,
    is_hidden_from_sender: 0,
  };
}

/** Converts a message to what a viewer sees. */
export function toView(
  row: MessageRow,
  { reactions, quoted }: MessageExtras,
  viewerId: string,
): ViewedMessage {
  const { client_id: clientId, album_id: albumId } = row;
  const original = row.reply_to_id === null ? undefined : quoted.get(row.reply_to_id);
  const shownReactions = toReactions(reactions.get(row.id) ?? [], viewerId);
  const media = createMediaInfo(row);
  const createdAt = toTimestamp(row.created_at);
  const { active_at: activeAt } = row;
  return {
    _id: row.id,
    chatroom: row.chatroom_id,
    content: toContent(row),
    sender: { username: row.username },
    createdAt,
    updatedAt: row.updated_at === row.created_at ? createdAt : toTimestamp(row.updated_at),
    seq: row.seq,
    rev: row.rev,
    kind: row.kind,
    ...(clientId !== null && { clientId }),
    ...(albumId !== null && { albumId }),
    ...(row.is_forwarded === 1 && { isForwarded: true }),
    ...(activeAt !== null && { activeAt: toTimestamp(activeAt) }),
    ...(media && { media }),
    ...(shownReactions.length > 0 && { reactions: shownReactions }),
    ...(original && { replyTo: toQuote(original, viewerId) }),
  };
}

/** Returns the metadata that clients need before they load an upload. */
function createMediaInfo(row: MessageRow): MediaInfo | undefined {
  const { width, height, is_blocked: isBlocked, duration_ms: duration, peaks } = row;
  const info: MediaInfo = {
    ...(width !== null && height !== null && { width, height }),
    ...(isBlocked === 1 && { isBlocked: true }),
    // 0 means unknown.
    ...(duration !== null && duration > 0 && { duration }),
    ...(peaks !== null && { peaks: [...peaks] }),
  };
  return Object.keys(info).length > 0 ? info : undefined;
}

/** Converts the remaining columns of a deleted message to the wire format. */
export function toDeletedMessage(
  row: Pick<MessageRow, 'id' | 'chatroom_id' | 'seq' | 'rev'>,
): DeletedMessage {
  return { _id: row.id, chatroom: row.chatroom_id, seq: row.seq, rev: row.rev };
}

/** Converts messages to what a viewer sees. */
export async function viewAll(
  db: Reader,
  rows: readonly MessageRow[],
  viewerId: string,
): Promise<ViewedMessage[]> {
  const repliedTo = new Set(rows.map((row) => row.reply_to_id));
  const known = rows
    .filter(({ id }) => repliedTo.has(id))
    .map((row) => [row.id, toQuoted(row)] as const);
  const extras = await findExtras(db, rows, new Map(known));
  return rows.map((row) => toView(row, extras, viewerId));
}

/** Returns the views of members on a new message, which has no reactions yet. */
export function toNewViews(
  row: MessageRow,
  quoted: readonly QuotedRow[],
  members: readonly string[],
): MessageView[] {
  const byId = new Map(quoted.map((each) => [each.id, each] as const));
  return toViews(row, { reactions: new Map(), quoted: byId }, members);
}

/** A message as some of the members of its chatroom see it. */
export interface MessageView {
  message: ViewedMessage;
  members: string[];
}

/** Returns the views of members on a message. Usually, all see the same. */
export function toViews(
  row: MessageRow,
  extras: MessageExtras,
  members: readonly string[],
): MessageView[] {
  const original = row.reply_to_id === null ? undefined : extras.quoted.get(row.reply_to_id);
  const reactions = extras.reactions.get(row.id) ?? [];
  const isQuoteSame = original?.is_hidden !== 1 && original?.is_hidden_from_sender !== 1;
  if (reactions.every(({ withheld }) => withheld === 0) && isQuoteSame) {
    return [{ message: toView(row, extras, ''), members: [...members] }];
  }
  return members.map((userId) => ({
    message: toView(row, extras, userId),
    members: [userId],
  }));
}
