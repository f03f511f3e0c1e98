import type { MessageEntry } from '@parley/client';
import type { Message } from '@parley/contract';
import { dayKey } from '../../../format/dates.ts';

/** One line of a room's list: a message, with what stands above it. */
export interface TimelineRow {
  /** The same before and after the server confirmed the message. */
  key: string;
  /** What the server has; undefined while it is only in the outbox. */
  message: Message | undefined;
  entry: MessageEntry | undefined;
  isOwn: boolean;
  /** First and last of a group: one sender, each message within five minutes of the one before. */
  isFirst: boolean;
  isLast: boolean;
  /** A day begins here: one of its moments, ISO 8601. */
  day: string | undefined;
  /** Here begins what was unread when the room was opened. */
  isFirstUnread: boolean;
  /** Nothing is older. */
  isRoomStart: boolean;
}

/** What the rows are made of. */
export interface TimelineSource {
  messages: readonly Message[];
  /** Of this room, in the order in which they were written. */
  entries: readonly MessageEntry[];
  currentUsername: string;
  hasMore: boolean;
  /** `seq` of the message that the unread line stands above. */
  firstUnreadSeq: number | undefined;
}

/** Longest pause inside a group, in milliseconds. */
const GROUP_GAP = 5 * 60_000;

/** A room's messages and what is still to be sent, as rows. */
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
    const time = timeOf(row);
    const day = dayKey(time);
    if (day !== dayBefore) row.day = time;
    dayBefore = day;
    if (before && continues(before, row)) {
      before.isLast = false;
      row.isFirst = false;
    }
    before = row;
  }
}

function continues(before: TimelineRow, row: TimelineRow): boolean {
  return (
    before.isOwn === row.isOwn &&
    row.day === undefined &&
    !row.isFirstUnread &&
    Date.parse(timeOf(row)) - Date.parse(timeOf(before)) <= GROUP_GAP
  );
}

/** When a row's message was written, ISO 8601. */
function timeOf({ message, entry }: TimelineRow): string {
  return message?.createdAt ?? entry?.createdAt ?? '';
}
