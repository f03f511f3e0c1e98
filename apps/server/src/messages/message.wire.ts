import type { DeletedMessage, Message, MessageKind } from '@parley/contract';
import type { Config } from '../config.ts';
import { mediaUrl } from '../media/media-url.ts';

/** A message that is not deleted, with what its wire format takes from other tables. */
export interface MessageRow {
  id: string;
  chatroom_id: string;
  seq: number;
  rev: number;
  kind: MessageKind;
  content: string;
  client_id: string | null;
  created_at: number;
  updated_at: number;
  /** Of the sender. */
  username: string;
  /** Of the upload; null for text. */
  file: string | null;
  width: number | null;
  height: number | null;
}

/** What is left of a deleted message, as a row. */
export type TombstoneRow = Pick<MessageRow, 'id' | 'chatroom_id' | 'seq' | 'rev'>;

/** The wire format of a message: the only place where it is written. */
export function toMessage(config: Config, row: MessageRow): Message {
  const { client_id: clientId, width, height } = row;
  const createdAt = toTimestamp(row.created_at);
  return {
    _id: row.id,
    chatroom: row.chatroom_id,
    content: wireContent(config, row),
    sender: { username: row.username },
    createdAt,
    updatedAt: row.updated_at === row.created_at ? createdAt : toTimestamp(row.updated_at),
    seq: row.seq,
    rev: row.rev,
    kind: row.kind,
    ...(clientId !== null && { clientId }),
    ...(width !== null && height !== null && { media: { width, height } }),
  };
}

/** The wire format of a deleted message. */
export function toDeletedMessage(row: TombstoneRow): DeletedMessage {
  return { _id: row.id, chatroom: row.chatroom_id, seq: row.seq, rev: row.rev };
}

/** What a message's `content` is on the wire: its text, or the URL of its upload as this server now spells it. */
export function wireContent(config: Config, row: Pick<MessageRow, 'content' | 'file'>): string {
  return row.file === null ? row.content : mediaUrl(config, row.file);
}

/** UTC milliseconds as ISO 8601. */
export function toTimestamp(time: number): string {
  return new Date(time).toISOString();
}
