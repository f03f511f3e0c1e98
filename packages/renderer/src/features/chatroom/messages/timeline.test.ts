import type { MessageEntry } from '@parley/client';
import type { Message } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { buildTimeline, hasSeq, itemsOf, type TimelineSource } from './timeline.ts';

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
    today: new Date(2025, 2, 31),
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

  it('counts messages after today as of today, as the clock was put back', () => {
    const messages = [19, 20, 21, 22].map((day) => message(day, 'bob', at(day, 9, 0)));
    const rows = timeline({ messages, today: new Date(2025, 2, 20) });
    expect(rows.map(({ day }) => day !== undefined)).toEqual([true, true, false, false]);
  });

  it('marks the first unread message and the start of the room', () => {
    const messages = [message(1, 'bob', at(20, 9, 0)), message(2, 'bob', at(20, 9, 1))];
    const rows = timeline({ messages, firstUnreadSeq: 2 });
    expect(rows.map(({ isFirstUnread }) => isFirstUnread)).toEqual([false, true]);
    expect(rows[1]?.isFirst).toBe(true);
    expect(rows[0]?.isChatroomStart).toBe(true);
    expect(timeline({ messages, hasMore: true })[0]?.isChatroomStart).toBe(false);
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

  describe('with albums', () => {
    const image = (seq: number, albumId: string | undefined, more?: Partial<Message>): Message => ({
      ...message(seq, 'bob', at(20, 9, 0)),
      kind: 'image',
      ...(albumId !== undefined && { albumId }),
      ...more,
    });
    const text = (seq: number, albumId: string): Message => ({
      ...image(seq, albumId),
      kind: 'text',
    });
    const shape = (rows: ReturnType<typeof timeline>) =>
      rows.map((row) => [itemsOf(row).map((item) => item.message?.seq), row.caption]);

    it('shows consecutive images of an album in one row, and its caption below them', () => {
      const rows = timeline({
        messages: [image(1, 'a'), image(2, 'a'), image(3, 'a'), text(4, 'a')],
      });
      expect(shape(rows)).toEqual([
        [[1, 2, 3], 'image'],
        [[4], 'caption'],
      ]);
      const [album, caption] = rows;
      expect(album).toMatchObject({
        key: 'id-1',
        message: { seq: 3 },
        isFirst: true,
        isLast: false,
      });
      expect(caption?.width).toBe(album?.width);
      expect(rows.map((row) => hasSeq(row, 2))).toEqual([true, false]);
    });

    it('joins a single image with its caption, but not with another text', () => {
      const rows = timeline({
        messages: [image(1, 'a'), text(2, 'a'), message(3, 'bob', at(20, 9, 0))],
      });
      expect(shape(rows)).toEqual([
        [[1], 'image'],
        [[2], 'caption'],
        [[3], undefined],
      ]);
    });

    it('shows images apart without an album, in different albums and after another message', () => {
      const between = message(4, 'bob', at(20, 9, 0));
      const rows = timeline({
        messages: [image(1, undefined), image(2, 'a'), image(3, 'b'), between, image(5, 'b')],
      });
      expect(shape(rows).map(([seqs]) => seqs)).toEqual([[1], [2], [3], [4], [5]]);
    });

    it('splits an album at another sender, a reply, a new day and the unread line', () => {
      const replyTo = {
        messageId: 'x',
        seq: 1,
        username: 'ada',
        kind: 'text',
        content: '',
      } as const;
      const tomorrow = at(21, 9, 0);
      const rows = timeline({
        messages: [
          image(1, 'a'),
          image(2, 'a', { sender: { username: 'ada' } }),
          image(3, 'a'),
          image(4, 'a', { replyTo }),
          image(5, 'a', { createdAt: tomorrow }),
          image(6, 'a', { createdAt: tomorrow }),
        ],
        firstUnreadSeq: 6,
      });
      expect(rows).toHaveLength(6);
    });

    it('shows the reactions to images below their caption', () => {
      const reactions = [{ emoji: '👍', usernames: ['ada'] }];
      const rows = timeline({
        messages: [image(1, 'a', { reactions }), image(2, 'a'), text(3, 'a')],
      });
      expect(rows.map(({ caption }) => caption)).toEqual(['image', 'caption']);
      expect(rows[1]?.captioned?.map((item) => item.message?.seq)).toEqual([1, 2]);
    });

    it('joins images that are being uploaded with their caption', () => {
      const file = {
        kind: 'image' as const,
        name: 'a.png',
        blob: new Blob(),
        previewUrl: 'blob:a',
      };
      const uploading = { ...entry('c1', at(20, 9, 0)), content: '', albumId: 'a', file };
      const caption = { ...entry('c2', at(20, 9, 0)), albumId: 'a' };
      const rows = timeline({ entries: [uploading, caption] });
      expect(rows.map((row) => row.caption)).toEqual(['image', 'caption']);
    });

    it('keeps its key when the server confirms its images one after the other', () => {
      const file = { kind: 'image' as const, name: 'a.png', blob: new Blob() };
      const waiting = (id: string): MessageEntry => ({
        ...entry(id, at(20, 9, 0)),
        albumId: 'a',
        uploadedFile: file,
      });
      const own = { sender: { username: 'ada' } };
      const [first, second] = [
        image(1, 'a', { ...own, clientId: 'c1' }),
        image(2, 'a', { ...own, clientId: 'c2' }),
      ];
      for (const messages of [[], [first], [first, second]]) {
        const [row, ...others] = timeline({ messages, entries: [waiting('c1'), waiting('c2')] });
        expect(others).toEqual([]);
        expect(row?.images?.map(({ key }) => key)).toEqual(['c1', 'c2']);
        expect(row?.key).toBe('c1');
      }
    });

    it('shows a failed image apart, with its actions', () => {
      const file = { kind: 'image' as const, name: 'a.png', blob: new Blob() };
      const failed: MessageEntry = {
        ...entry('c2', at(20, 9, 0)),
        albumId: 'a',
        uploadedFile: file,
        state: 'failed',
      };
      const own = image(1, 'a', { sender: { username: 'ada' }, clientId: 'c1' });
      expect(timeline({ messages: [own], entries: [failed] })).toHaveLength(2);
    });
  });
});
