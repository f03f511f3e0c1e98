import type { MessageEntry } from '@parley/client';
import type { Message } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { buildTimeline, type TimelineSource } from './timeline.ts';

const at = (day: number, hour: number, minute: number): string =>
  new Date(2025, 2, day, hour, minute).toISOString();

const message = (seq: number, sender: string, time: string, clientId?: string): Message => ({
  _id: `id-${seq}`,
  chatroom: 'room',
  content: `m${seq}`,
  sender: { username: sender },
  createdAt: time,
  updatedAt: time,
  seq,
  rev: seq,
  kind: 'text',
  ...(clientId !== undefined && { clientId }),
});

const entry = (clientId: string, time: string): MessageEntry => ({
  clientId,
  to: { chatroomId: 'room' },
  content: 'x',
  createdAt: time,
  order: Date.parse(time),
  state: 'waiting',
});

const timeline = (source: Partial<TimelineSource>) =>
  buildTimeline({
    messages: [],
    entries: [],
    currentUsername: 'ada',
    hasMore: false,
    firstUnreadSeq: undefined,
    ...source,
  });

describe('the timeline', () => {
  it('groups messages of one sender within five minutes', () => {
    const rows = timeline({
      messages: [
        message(1, 'bob', at(20, 9, 0)),
        message(2, 'bob', at(20, 9, 5)),
        message(3, 'bob', at(20, 9, 11)),
        message(4, 'ada', at(20, 9, 11)),
      ],
    });
    expect(rows.map(({ isFirst, isLast }) => [isFirst, isLast])).toEqual([
      [true, false],
      [false, true],
      [true, true],
      [true, true],
    ]);
    expect(rows.map(({ isOwn }) => isOwn)).toEqual([false, false, false, true]);
  });

  it('starts a new day and a new group at midnight', () => {
    const rows = timeline({
      messages: [message(1, 'bob', at(19, 23, 59)), message(2, 'bob', at(20, 0, 1))],
    });
    expect(rows.map(({ day }) => day !== undefined)).toEqual([true, true]);
    expect(rows[1]?.isFirst).toBe(true);
  });

  it('marks the first unread message and the start of the room', () => {
    const messages = [message(1, 'bob', at(20, 9, 0)), message(2, 'bob', at(20, 9, 1))];
    const rows = timeline({ messages, firstUnreadSeq: 2 });
    expect(rows.map(({ isFirstUnread }) => isFirstUnread)).toEqual([false, true]);
    expect(rows[1]?.isFirst).toBe(true);
    expect(rows[0]?.isRoomStart).toBe(true);
    expect(timeline({ messages, hasMore: true })[0]?.isRoomStart).toBe(false);
  });

  it('shows an unsent message once, with the same key before and after its confirmation', () => {
    const before = timeline({ entries: [entry('c1', at(20, 9, 0)), entry('c2', at(20, 9, 1))] });
    const after = timeline({
      messages: [message(1, 'ada', at(20, 9, 0), 'c1')],
      entries: [entry('c1', at(20, 9, 0)), entry('c2', at(20, 9, 1))],
    });
    expect(before.map(({ key }) => key)).toEqual(['c1', 'c2']);
    expect(after.map(({ key }) => key)).toEqual(['c1', 'c2']);
    expect(after[0]?.message?.seq).toBe(1);
  });

  it("does not match a partner's message with an outbox entry that has the same client id", () => {
    const rows = timeline({
      messages: [message(1, 'bob', at(20, 9, 0), 'c1')],
      entries: [entry('c1', at(20, 9, 1))],
    });
    expect(rows.map(({ key }) => key)).toEqual(['id-1', 'c1']);
  });
});
