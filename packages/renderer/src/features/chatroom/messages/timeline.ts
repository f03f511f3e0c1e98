import type { MessageEntry } from '@parley/client';
import { contentKind, type Message } from '@parley/contract';
import { dayKey } from '../../../format/dates.ts';
import { isPictureKind, isTextKind } from '../../../format/message-kinds.ts';
import { ALBUM_WIDTH, captionedWidth } from '../image/image-box.ts';

/** A message, or an outbox entry that becomes one. */
export interface TimelineItem {
  /** Stays the same when the server confirms the message. */
  key: string;
  /** The server's message; undefined while it is only in the outbox. */
  message: Message | undefined;
  entry: MessageEntry | undefined;
}

/** A row of the message list: a message or the images of an album, and the separators. */
export interface TimelineRow extends TimelineItem {
  isOwn: boolean;
  /** Whether it starts a group: messages of one sender, at most five minutes apart. */
  isFirst: boolean;
  isLast: boolean;
  /** If a day starts with this row, the time of its message in ISO 8601. */
  day: string | undefined;
  /** Whether it is the first message that was unread when the room was opened. */
  isFirstUnread: boolean;
  /** Whether there are no older messages. */
  isChatroomStart: boolean;
  /**
   * The images of an album if there are several. The row has the key of the first one, and the message
   * and the entry of the last one.
   */
  images: readonly TimelineItem[] | undefined;
  /**
   * `image` above a caption and `caption` below the image or images of its album. Both have the same
   * width and are displayed as one bubble.
   */
  caption: 'image' | 'caption' | undefined;
  /** The images above a caption. Reactions to them are displayed below it. */
  captioned: readonly TimelineItem[] | undefined;
  /** Width of the bubble in pixels, if its content does not decide it. */
  width: number | undefined;
}

/** The input of `buildTimeline`. */
export interface TimelineSource {
  messages: readonly Message[];
  /** The outbox entries of this room, in the order of writing. */
  entries: readonly MessageEntry[];
  currentUsername: string;
  hasMore: boolean;
  /** `seq` of the message below the unread line. */
  firstUnreadSeq: number | undefined;
  /** A time of the current day. */
  today: Date;
}

/** Maximum milliseconds between two messages of a group. */
const GROUP_GAP = 5 * 60_000;

/** Builds the rows for a room's messages and its outbox entries. */
export function buildTimeline(source: TimelineSource): TimelineRow[] {
  const { messages, entries, currentUsername, hasMore, firstUnreadSeq, today } = source;
  const rows: TimelineRow[] = messages.map((message) => {
    const isOwn = message.sender.username === currentUsername;
    return rowOf(isOwn && message.clientId !== undefined ? message.clientId : message._id, {
      message,
      isOwn,
      isFirstUnread: message.seq === firstUnreadSeq,
    });
  });
  const known = new Set(rows.map(({ key }) => key));
  for (const entry of entries) {
    if (!known.has(entry.clientId)) rows.push(rowOf(entry.clientId, { entry, isOwn: true }));
  }
  const merged = mergeAlbums(rows, today);
  markGroups(merged, today);
  joinCaptions(merged, today);
  const [first] = merged;
  if (first && !hasMore) first.isChatroomStart = true;
  return merged;
}

/** Returns the messages of a row, oldest first. */
export function itemsOf(row: TimelineRow): readonly TimelineItem[] {
  return row.images ?? [row];
}

/**
 * Returns the content of a message, which is empty while its file is being uploaded. A forwarded image or recording
 * has the URL of its original until it is sent.
 */
export function contentOf({ message, entry }: Pick<TimelineItem, 'message' | 'entry'>): string {
  return message?.content ?? entry?.source?.url ?? entry?.content ?? '';
}

/**
 * Returns the kind of a message. The server determines it, as a text may look like an upload's URL. Outbox entries
 * have none yet.
 */
export function kindOf(item: Pick<TimelineItem, 'message' | 'entry'>, mediaPrefix: string): string {
  return item.message?.kind ?? item.entry?.file?.kind ?? contentKind(contentOf(item), mediaPrefix);
}

/** Returns whether a row contains the message with a `seq`. */
export function hasSeq(row: TimelineRow, seq: number): boolean {
  return itemsOf(row).some(({ message }) => message?.seq === seq);
}

/** Returns whether a row contains the message with a key. */
export function hasKey(row: TimelineRow, key: string | undefined): boolean {
  return itemsOf(row).some((item) => item.key === key);
}

function isImage({ message, entry }: TimelineItem): boolean {
  return isPictureKind(
    message?.kind ?? (entry?.file ?? entry?.uploadedFile ?? entry?.source)?.kind,
  );
}

function albumOf({ message, entry }: TimelineItem): string | undefined {
  return message ? message.albumId : entry?.albumId;
}

function rowOf(key: string, given: Partial<TimelineRow>): TimelineRow {
  return {
    key,
    message: undefined,
    entry: undefined,
    isOwn: false,
    isFirst: true,
    isLast: true,
    day: undefined,
    isFirstUnread: false,
    isChatroomStart: false,
    images: undefined,
    caption: undefined,
    captioned: undefined,
    width: undefined,
    ...given,
  };
}

/** Merges consecutive images of an album into one row. */
function mergeAlbums(rows: readonly TimelineRow[], today: Date): TimelineRow[] {
  const merged: TimelineRow[] = [];
  for (const row of rows) {
    const before = merged.at(-1);
    if (before && isSameAlbum(before, row, today)) {
      const { key, message, entry } = row;
      const { key: firstKey, message: first, entry: firstEntry } = before;
      const images = before.images ?? [{ key: firstKey, message: first, entry: firstEntry }];
      before.images = [...images, { key, message, entry }];
      before.message = message;
      before.entry = entry;
      before.width = ALBUM_WIDTH;
    } else {
      merged.push(row);
    }
  }
  return merged;
}

function isSameAlbum(before: TimelineRow, row: TimelineRow, today: Date): boolean {
  return isImage(before) && isImage(row) && isJoined(before, row, today);
}

/** Returns whether two consecutive rows belong to one album and nothing is displayed between them. */
function isJoined(before: TimelineRow, row: TimelineRow, today: Date): boolean {
  const albumId = albumOf(row);
  return (
    albumId !== undefined &&
    albumId === albumOf(before) &&
    before.isOwn === row.isOwn &&
    !row.isFirstUnread &&
    (row.message?.replyTo ?? row.entry?.replyTo) === undefined &&
    // The actions of a failed message are below it.
    before.entry?.state !== 'failed' &&
    row.entry?.state !== 'failed' &&
    dayKey(timeOfRow(before), today) === dayKey(timeOfRow(row), today)
  );
}

function joinCaptions(rows: readonly TimelineRow[], today: Date): void {
  for (const [index, row] of rows.entries()) {
    const above = rows[index - 1];
    if (!above || isImage(row) || !isImage(above) || !isJoined(above, row, today)) continue;
    if (row.message !== undefined && !isTextKind(row.message.kind)) continue;
    above.caption = 'image';
    row.caption = 'caption';
    row.captioned = itemsOf(above);
    above.width ??= captionedWidth(above.message?.media ?? above.entry?.media);
    row.width = above.width;
  }
}

function markGroups(rows: TimelineRow[], today: Date): void {
  let before: TimelineRow | undefined;
  let dayBefore = '';
  for (const row of rows) {
    const time = timeOfRow(row);
    const day = dayKey(time, today);
    if (day !== dayBefore) row.day = time;
    dayBefore = day;
    if (before && isSameGroup(before, row)) {
      before.isLast = false;
      row.isFirst = false;
    }
    before = row;
  }
}

function isSameGroup(before: TimelineRow, row: TimelineRow): boolean {
  return (
    before.isOwn === row.isOwn &&
    row.day === undefined &&
    !row.isFirstUnread &&
    Date.parse(timeOfRow(row)) - Date.parse(timeOfRow(before)) <= GROUP_GAP
  );
}

/** Returns the time of a row's message in ISO 8601. */
export function timeOfRow({ message, entry }: TimelineItem): string {
  return message?.createdAt ?? entry?.createdAt ?? '';
}
