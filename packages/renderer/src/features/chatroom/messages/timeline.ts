import type { MessageEntry } from '@parley/client';
import type { Message } from '@parley/contract';
import { dayKey } from '../../../format/dates.ts';

/** A row of the message list: a message and its separators. */
export interface TimelineRow {
  /** Stays the same when the server confirms the message. */
  key: string;
  /** The server's message; undefined while it is only in the outbox. */
  message: Message | undefined;
  entry: MessageEntry | undefined;
  isOwn: boolean;
  /** Whether it starts a group: messages of one sender, at most five minutes apart. */
  isFirst: boolean;
  isLast: boolean;
  /** If a day starts with this row, the time of its message in ISO 8601. */
  day: string | undefined;
  /** Whether it is the first message that was unread when the room was opened. */
  isFirstUnread: boolean;
  /** Whether there are no older messages. */
  isRoomStart: boolean;
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
}

/** Maximum milliseconds between two messages of a group. */
const GROUP_GAP = 5 * 60_000;

/** Builds the rows for a room's messages and its outbox entries. */
export function buildTimeline(source: TimelineSource): TimelineRow[] {
  const { messages, entries, currentUsername, hasMore, firstUnreadSeq } = source;
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
  markGroups(rows);
  const [first] = rows;
  if (first && !hasMore) first.isRoomStart = true;
  return rows;
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
    isRoomStart: false,
    ...given,
  };
}

function markGroups(rows: TimelineRow[]): void {
  let before: TimelineRow | undefined;
  let dayBefore = '';
  for (const row of rows) {
    const time = timeOfRow(row);
    const day = dayKey(time);
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
export function timeOfRow({ message, entry }: TimelineRow): string {
  return message?.createdAt ?? entry?.createdAt ?? '';
}
