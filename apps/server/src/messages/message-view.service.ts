import { cutExcerpt, LIMITS, type Message, type Quote, type Reaction } from '@parley/contract';
import type { Config } from '../config.ts';
import type { Reader } from '../storage/storage.ts';
import { toMessage, toWireContent, type MessageRow } from './message.wire.ts';
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
function toQuote(config: Config, row: QuotedRow, viewerId: string): Quote {
  const { id: messageId, seq, username, kind } = row;
  const isHidden = row.is_hidden === 1 && row.sender_id !== viewerId;
  if (row.is_deleted === 1 || isHidden) {
    return { messageId, seq, username: '', kind: 'text', content: '', isDeleted: true };
  }
  const hasContent = kind === 'text' || (kind === 'image' && row.is_blocked !== 1);
  return { messageId, seq, username, kind, content: hasContent ? toWireContent(config, row) : '' };
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
  };
}

/** Converts a message to the wire format as a viewer sees it. */
export function toView(
  config: Config,
  row: MessageRow,
  { reactions, quoted }: MessageExtras,
  viewerId: string,
): Message {
  const original = row.reply_to_id === null ? undefined : quoted.get(row.reply_to_id);
  return toMessage(config, row, {
    reactions: toReactions(reactions.get(row.id) ?? [], viewerId),
    ...(original && { replyTo: toQuote(config, original, viewerId) }),
  });
}

/** Converts messages that a viewer sees to the wire format. */
export async function toMessages(
  config: Config,
  db: Reader,
  rows: readonly MessageRow[],
  viewerId: string,
): Promise<Message[]> {
  const repliedTo = new Set(rows.map((row) => row.reply_to_id));
  const known = rows
    .filter(({ id }) => repliedTo.has(id))
    .map((row) => [row.id, toQuoted(row)] as const);
  const extras = await findExtras(db, rows, new Map(known));
  return rows.map((row) => toView(config, row, extras, viewerId));
}

/** Returns the views of members on a new message, which has no reactions yet. */
export function toNewViews(
  config: Config,
  row: MessageRow,
  quoted: readonly QuotedRow[],
  members: readonly string[],
): MessageView[] {
  const byId = new Map(quoted.map((each) => [each.id, each] as const));
  return toViews(config, row, { reactions: new Map(), quoted: byId }, members);
}

/** A message as some of the members of its chatroom see it. */
export interface MessageView {
  message: Message;
  members: string[];
}

/** Returns the views of members on a message. Usually, all see the same. */
export function toViews(
  config: Config,
  row: MessageRow,
  extras: MessageExtras,
  members: readonly string[],
): MessageView[] {
  const original = row.reply_to_id === null ? undefined : extras.quoted.get(row.reply_to_id);
  const reactions = extras.reactions.get(row.id) ?? [];
  if (reactions.every(({ withheld }) => withheld === 0) && (original?.is_hidden ?? 0) === 0) {
    return [{ message: toView(config, row, extras, ''), members: [...members] }];
  }
  return members.map((userId) => ({
    message: toView(config, row, extras, userId),
    members: [userId],
  }));
}
