import type {
  DeletedMessage,
  MediaInfo,
  Message,
  MessageKind,
  Quote,
  Reaction,
} from '@parley/contract';
import type { Config } from '../config.ts';
import { mediaUrl } from '../media/media-url.ts';

/**
 * A message that is not deleted, joined with the columns of other tables that its wire format
 * contains.
 */
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
  /** Username of the sender. */
  username: string;
  /** File of the upload; null for text. */
  file: string | null;
  width: number | null;
  height: number | null;
  /** 1 for an image that is no longer displayed. */
  is_blocked: number | null;
  duration_ms: number | null;
  peaks: Buffer | null;
  album_id: string | null;
  is_forwarded: number;
  /** The message that this one replies to; null if it is no reply. */
  reply_to_id: string | null;
}

/** The remaining columns of a deleted message. */
export type TombstoneRow = Pick<MessageRow, 'id' | 'chatroom_id' | 'seq' | 'rev'>;

/** What a viewer sees with a message. */
export interface ViewedExtras {
  readonly reactions?: readonly Reaction[];
  readonly replyTo?: Quote;
}

/** Converts a row to the wire format of a message with what its recipient sees with it. */
export function toMessage(
  config: Config,
  row: MessageRow,
  { reactions = [], replyTo }: ViewedExtras = {},
): Message {
  const { client_id: clientId, album_id: albumId } = row;
  const media = createMediaInfo(row);
  const createdAt = toTimestamp(row.created_at);
  return {
    _id: row.id,
    chatroom: row.chatroom_id,
    content: toWireContent(config, row),
    sender: { username: row.username },
    createdAt,
    updatedAt: row.updated_at === row.created_at ? createdAt : toTimestamp(row.updated_at),
    seq: row.seq,
    rev: row.rev,
    kind: row.kind,
    ...(clientId !== null && { clientId }),
    ...(albumId !== null && { albumId }),
    ...(row.is_forwarded === 1 && { isForwarded: true }),
    ...(media && { media }),
    ...(reactions.length > 0 && { reactions: [...reactions] }),
    ...(replyTo && { replyTo }),
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

/** Converts a row to the wire format of a deleted message. */
export function toDeletedMessage(row: TombstoneRow): DeletedMessage {
  return { _id: row.id, chatroom: row.chatroom_id, seq: row.seq, rev: row.rev };
}

/** Returns the `content` of a message on the wire: its text, or the current URL of its upload. */
export function toWireContent(config: Config, row: Pick<MessageRow, 'content' | 'file'>): string {
  return row.file === null ? row.content : mediaUrl(config, row.file);
}

/** Formats UTC milliseconds as ISO 8601. */
export function toTimestamp(time: number): string {
  return new Date(time).toISOString();
}
