import type { Changes, Chatroom, DeletedMessage, Message } from '@parley/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  withChanges,
  withDeleted,
  withMessage,
  withNewestOnly,
  withNewestPage,
  withOlderPage,
  withPartnerDeleted,
  withRead,
  type Room,
} from './room.ts';

const message = (seq: number, rev: number, sender = 'bob', content = `m${seq}`): Message => ({
  _id: `id-${seq}`,
  chatroom: 'room',
  content,
  sender: { username: sender },
  createdAt: '2025-03-20T09:00:00.000Z',
  updatedAt: '2025-03-20T09:00:00.000Z',
  seq,
  rev,
  kind: 'text',
});

const page = (messages: Message[], rev: number, rest: Partial<Chatroom> = {}): Chatroom => ({
  chatroomMessages: messages,
  currentUsername: 'ada',
  partnerName: 'bob',
  unreadMessagesCount: 0,
  volume: 'middle',
  hasMore: false,
  readSeq: 0,
  rev,
  ...rest,
});

const seqs = (room: Room): number[] => room.messages.map(({ seq }) => seq);

describe('a room', () => {
  const room = withNewestPage('room', page([message(1, 1), message(2, 2)], 2, { readSeq: 2 }));

  it('appends the next message once, however often it comes', () => {
    const first = withMessage(room, message(3, 3), true);
    expect(first).toMatchObject({ hasGap: false, room: { rev: 3, unread: 1 } });
    const again = withMessage(first.room, message(3, 3), true);
    expect(again).toMatchObject({ hasGap: false, room: { rev: 3, unread: 1 } });
    expect(seqs(again.room)).toEqual([1, 2, 3]);
  });

  it('notices a gap in what comes live, not in an answer to a call', () => {
    expect(withMessage(room, message(4, 4), true)).toMatchObject({
      hasGap: true,
      room: { rev: 2 },
    });
    const answered = withMessage(room, message(4, 4, 'ada'), false);
    expect(answered).toMatchObject({ hasGap: false, room: { rev: 2 } });
    const caughtUp = withMessage(answered.room, message(3, 3), true).room;
    expect(seqs(caughtUp)).toEqual([1, 2, 3, 4]);
    expect(withMessage(caughtUp, message(4, 4, 'ada'), true)).toMatchObject({
      hasGap: false,
      room: { rev: 4, unread: 1 },
    });
  });

  it('keeps the newer of two versions', () => {
    const edited = withMessage(room, message(2, 3, 'bob', 'new'), true).room;
    const stale = withMessage(edited, message(2, 2, 'bob', 'old'), true).room;
    expect(stale.messages.at(-1)?.content).toBe('new');
  });

  it('does not bring back what was deleted, whichever answer comes late', () => {
    const deleted = withDeleted(room, { _id: 'id-2', chatroom: 'room', seq: 2, rev: 3 }, true).room;
    expect(seqs(withOlderPage(deleted, page([message(1, 1), message(2, 2)], 2)))).toEqual([1]);
    expect(seqs(withMessage(deleted, message(2, 2), false).room)).toEqual([1]);
  });

  it('leaves out an old message that was edited while its page is not loaded', () => {
    const late = withNewestPage('room', page([message(51, 51)], 51, { hasMore: true }));
    const edited = withMessage(late, message(3, 52), true).room;
    expect([seqs(edited), edited.rev]).toEqual([[51], 52]);
  });

  it('joins a page that was made before the last live message', () => {
    const live = withMessage(room, message(3, 3), true).room;
    expect(seqs(withNewestPage('room', page([message(1, 1), message(2, 2)], 2), live))).toEqual([
      1, 2, 3,
    ]);
  });

  it('keeps its newest messages when it is left, and knows that there were more', () => {
    expect(withNewestOnly(room, 2)).toBe(room);
    const trimmed = withNewestOnly(room, 1);
    expect([seqs(trimmed), trimmed.hasMore, trimmed.rev]).toEqual([[2], true, 2]);
    expect(seqs(withOlderPage(trimmed, page([message(1, 1)], 2)))).toEqual([1, 2]);
  });

  it('counts as unread what the partner writes and takes it back when it is deleted or read', () => {
    const three = withMessage(room, message(3, 3), true).room;
    const own = withMessage(three, message(4, 4, 'ada'), true).room;
    expect(own.unread).toBe(1);
    expect(
      withDeleted(own, { _id: 'id-3', chatroom: 'room', seq: 3, rev: 5 }, true).room.unread,
    ).toBe(0);
    expect(withRead(own, 4, 0)).toMatchObject({ readSeq: 4, unread: 0 });
  });

  it('counts a message that overtook the response of a resync', () => {
    const live = withMessage(room, message(3, 3), true).room;
    const late = { chatId: 'room', rev: 2, updated: [], deleted: [], partnerName: 'bob' };
    const caughtUp = withChanges(live, { ...late, readSeq: 2, unreadMessagesCount: 0 });
    expect(caughtUp).toMatchObject({ rev: 3, unread: 1 });
  });

  it('counts what is unread by its messages, unless older ones are not loaded', () => {
    const live = withMessage(room, message(3, 3), true).room;
    expect(withRead(live, 2, 0).unread).toBe(1);
    const long = withNewestPage('room', page([message(51, 51)], 51, { hasMore: true }));
    expect(withRead(long, 20, 31).unread).toBe(31);
  });

  it("loses the partner's messages with their account", () => {
    const mixed = withMessage(room, message(3, 3, 'ada'), true).room;
    expect(withPartnerDeleted(mixed)).toMatchObject({ partnerName: 'deletedUser', unread: 0 });
    expect(seqs(withPartnerDeleted(mixed))).toEqual([3]);
  });

  it("loses the partner's messages when it learns of the deleted account only by catching up", () => {
    const mixed = withMessage(room, message(3, 3, 'ada'), true).room;
    const changes = { ...mixed, chatId: 'room', updated: [], deleted: [], rev: mixed.rev };
    const caughtUp = withChanges(mixed, {
      ...changes,
      partnerName: 'deletedUser',
      unreadMessagesCount: 0,
    });
    expect(seqs(caughtUp)).toEqual([3]);
  });
});

/** A room's whole history: each change is a new message, an edit or a deletion. */
const histories = fc.array(
  fc.record({ kind: fc.constantFrom('new', 'new', 'edit', 'delete'), pick: fc.nat() }),
  { minLength: 1, maxLength: 40 },
);
type Change = { rev: number } & ({ message: Message } | { deleted: DeletedMessage });

function play(steps: { kind: string; pick: number }[]): { changes: Change[]; final: Message[] } {
  const living: Message[] = [];
  const changes: Change[] = [];
  let seq = 0;
  for (const [index, { kind, pick }] of steps.entries()) {
    const rev = index + 1;
    const target = living[pick % Math.max(1, living.length)];
    if (kind === 'new' || !target) {
      seq += 1;
      const made = message(seq, rev, pick % 2 === 0 ? 'ada' : 'bob');
      living.push(made);
      changes.push({ rev, message: made });
    } else if (kind === 'edit') {
      const edited = { ...target, rev, content: `edited ${rev}` };
      living[living.indexOf(target)] = edited;
      changes.push({ rev, message: edited });
    } else {
      living.splice(living.indexOf(target), 1);
      const { _id, chatroom, seq } = target;
      changes.push({ rev, deleted: { _id, chatroom, seq, rev } });
    }
  }
  return { changes, final: living };
}

/** What the server answers to «everything since `rev`». */
function changesSince(changes: Change[], rev: number, final: Message[]): Changes['rooms'][number] {
  const later = changes.filter((change) => change.rev > rev);
  return {
    chatId: 'room',
    rev: changes.length,
    updated: final.filter((message) => message.rev > rev),
    deleted: later.flatMap((change) => ('deleted' in change ? [change.deleted] : [])),
    partnerName: 'bob',
    readSeq: 0,
    unreadMessagesCount: 0,
  };
}

describe('any history', () => {
  it('ends the same, with events lost and doubled, once gaps are caught up', () => {
    fc.assert(
      fc.property(histories, fc.array(fc.nat(4)), (steps, fates) => {
        const { changes, final } = play(steps);
        let room = withNewestPage('room', page([], 0));
        for (const [index, change] of changes.entries()) {
          const fate = fates[index] ?? 0;
          if (fate === 1) continue;
          for (let times = fate === 2 ? 2 : 1; times > 0; times -= 1) {
            const applied =
              'message' in change
                ? withMessage(room, change.message, true)
                : withDeleted(room, change.deleted, true);
            room = applied.hasGap
              ? withChanges(
                  applied.room,
                  changesSince(
                    changes.slice(0, index + 1),
                    room.rev,
                    play(steps.slice(0, index + 1)).final,
                  ),
                )
              : applied.room;
          }
        }
        room = withChanges(room, changesSince(changes, room.rev, final));
        expect(room.messages).toEqual(final);
      }),
      { numRuns: 1_000 },
    );
  });

  it('also where one message came and another went while nobody listened', () => {
    const steps = ['new', 'new', 'new', 'delete'].map((kind) => ({ kind, pick: 0 }));
    const { changes, final } = play(steps);
    const before = play(steps.slice(0, 2)).final;
    const room = withNewestPage('room', page(before, 2));
    expect(withChanges(room, changesSince(changes, room.rev, final)).messages).toEqual(final);
  });
});
