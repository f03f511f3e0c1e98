import type { Changes, Chatroom, ChatState, DeletedMessage, Message } from '@parley/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChatState } from '../../test/create-chat-state.ts';
import { toChat, type Chat } from './chat-list.ts';
import {
  withChanges,
  withDeleted,
  withMessage,
  withNewestPage,
  withChatroomRead,
  withChatState,
  type LoadedChatroom,
} from './loaded-chatroom.ts';
import {
  currentVersion,
  withChangesDuringLoad,
  withNewestOnly,
  withOlderPage,
} from './message-window.ts';

const message = (seq: number, rev: number, sender = 'Bob', content = `m${seq}`): Message => ({
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

type PageChanges = Partial<Pick<Chatroom, 'hasMore'> & ChatState>;

const page = (
  messages: Message[],
  rev: number,
  { hasMore = false, ...state }: PageChanges = {},
): Chatroom => ({
  chat: createChatState({ ...state, rev }, messages.at(-1)),
  chatroomMessages: messages,
  currentUsername: 'Ada',
  partnerName: 'Bob',
  unreadMessagesCount: state.unreadMessagesCount ?? 0,
  volume: 'middle',
  hasMore,
});

/** Creates the changes of a resync. */
const changesOf = (
  rev: number,
  state: Partial<ChatState> = {},
  changed: Partial<Pick<Changes['rooms'][number], 'updated' | 'deleted'>> = {},
): Changes['rooms'][number] => ({
  chat: createChatState({ ...state, rev }),
  rev,
  updated: [],
  deleted: [],
  ...changed,
});

const chat = (changes: Partial<ChatState>): Chat => toChat(createChatState(changes));

/** The chat after the partner has deleted the account. */
const gone = (rev: number): Chat =>
  chat({ rev, memberRev: 1, usernames: [], isDeletedAccount: true });

const seqs = (room: LoadedChatroom): number[] => room.messages.map(({ seq }) => seq);

describe('a chatroom', () => {
  const room = withNewestPage('room', page([message(1, 1), message(2, 2)], 2, { readSeq: 2 }));

  it('appends a message once, even if it arrives repeatedly', () => {
    const first = withMessage(room, message(3, 3), true);
    expect(first).toMatchObject({ hasGap: false, room: { rev: 3, unread: 1 } });
    const again = withMessage(first.room, message(3, 3), true);
    expect(again).toMatchObject({ hasGap: false, room: { rev: 3, unread: 1 } });
    expect(seqs(again.room)).toEqual([1, 2, 3]);
  });

  it('detects a gap in live events, but not in a response', () => {
    expect(withMessage(room, message(4, 4), true)).toMatchObject({
      hasGap: true,
      room: { rev: 2 },
    });
    const afterResponse = withMessage(room, message(4, 4, 'Ada'), false);
    expect(afterResponse).toMatchObject({ hasGap: false, room: { rev: 2 } });
    const resynced = withMessage(afterResponse.room, message(3, 3), true).room;
    expect(seqs(resynced)).toEqual([1, 2, 3, 4]);
    expect(withMessage(resynced, message(4, 4, 'Ada'), true)).toMatchObject({
      hasGap: false,
      room: { rev: 4, unread: 1 },
    });
  });

  it('keeps the newer of two versions', () => {
    const edited = withMessage(room, message(2, 3, 'Bob', 'new'), true).room;
    const stale = withMessage(edited, message(2, 2, 'Bob', 'old'), true).room;
    expect(stale.messages.at(-1)?.content).toBe('new');
  });

  it('does not restore deleted messages from a late response', () => {
    const deleted = withDeleted(room, { _id: 'id-2', rev: 3 }, true).room;
    expect(seqs(withOlderPage(deleted, page([message(1, 1), message(2, 2)], 2)))).toEqual([1]);
    expect(seqs(withMessage(deleted, message(2, 2), false).room)).toEqual([1]);
  });

  it('ignores an edited message whose page is not loaded', () => {
    const late = withNewestPage('room', page([message(51, 51)], 51, { hasMore: true }));
    const edited = withMessage(late, message(3, 52), true).room;
    expect([seqs(edited), edited.rev]).toEqual([[51], 52]);
  });

  describe('that is loaded again while it changes', () => {
    /** The response to a request before the changes. */
    const outdated = { ...room };

    it('keeps the changes that arrived during the request', () => {
      const sent = withMessage(room, message(3, 3), true).room;
      const edited = withMessage(sent, message(1, 4, 'Bob', 'new'), true).room;
      const deleted = withDeleted(edited, { _id: 'id-2', rev: 5 }, true).room;
      const after = withChangesDuringLoad(outdated, room, deleted);
      expect(after.messages).toEqual([message(1, 4, 'Bob', 'new'), message(3, 3)]);
      expect(after).toMatchObject({ rev: 5, readSeq: 2, unread: 1 });
      const read = chat({ rev: 5, memberRev: 1, readSeq: 3 });
      expect(withChatState(after, read)).toMatchObject({ readSeq: 3, unread: 0 });
    });

    it('does not restore a message whose deletion was confirmed, but not announced yet', () => {
      const deleted = withDeleted(room, { _id: 'id-2', rev: 2 }, false).room;
      const after = withChangesDuringLoad(outdated, room, deleted);
      expect([seqs(after), after.rev]).toEqual([[1], 2]);
    });

    it('does not restore a message deleted before from a response that is even older', () => {
      const deleted = withDeleted(room, { _id: 'id-1', rev: 3 }, true).room;
      const loaded = withNewestPage('room', page([message(2, 2)], 3, { hasMore: true }));
      const after = withChangesDuringLoad(loaded, deleted, deleted);
      expect(seqs(withOlderPage(after, page([message(1, 1)], 2)))).toEqual([2]);
    });

    it('is accepted by a reply that the response does not contain', () => {
      const replied = withMessage(room, message(3, 3, 'Ada'), false).room;
      const request = { ...outdated, status: 'request' } as const;
      expect(withChangesDuringLoad(request, room, room).status).toBe('request');
      expect(withChangesDuringLoad(request, room, replied).status).toBe('accepted');
    });

    it("does not restore the partner's messages after their account was deleted", () => {
      const current = withChatState(room, gone(2));
      const after = withChatState(withChangesDuringLoad(outdated, room, current), gone(2));
      expect(after).toMatchObject({ partnerName: 'deletedUser', messages: [], unread: 0 });
    });

    it('discards newer messages that were known before, as they no longer exist', () => {
      const before = withMessage(room, message(3, 3), true).room;
      const deleted = withDeleted(before, { _id: 'id-2', rev: 4 }, true).room;
      const current = withMessage(deleted, message(4, 5), true).room;
      expect(seqs(withChangesDuringLoad(outdated, deleted, current))).toEqual([1, 2, 4]);
      expect(withChangesDuringLoad(outdated, current, current)).toEqual(outdated);
    });

    it('keeps only deletions if its copy was shown during the request', () => {
      const copy = withMessage(room, message(3, 3), true).room;
      const current = withDeleted(copy, { _id: 'id-1', rev: 4 }, true).room;
      expect(seqs(withChangesDuringLoad(outdated, undefined, current))).toEqual([2]);
    });
  });

  it('keeps only its newest messages and records that there are older ones', () => {
    expect(withNewestOnly(room, 2)).toBe(room);
    const trimmed = withNewestOnly(room, 1);
    expect([seqs(trimmed), trimmed.hasMore, trimmed.rev]).toEqual([[2], true, 2]);
    expect(seqs(withOlderPage(trimmed, page([message(1, 1)], 2)))).toEqual([1, 2]);
  });

  it('knows the current version of a message that was loaded, and whether it was deleted', () => {
    const late = withNewestPage(
      'room',
      page([message(51, 51), message(52, 52)], 52, { hasMore: true }),
    );
    const older = message(3, 3);
    expect(currentVersion(late, message(51, 1))).toBe(late.messages[0]);
    expect(currentVersion(late, older)).toBe(older);
    const edited = withMessage(late, message(3, 53, 'Bob', 'new'), true).room;
    expect(currentVersion(edited, older)?.content).toBe('new');
    expect(
      currentVersion(withDeleted(edited, { _id: 'id-3', rev: 54 }, true).room, older),
    ).toBeUndefined();
    // The deletion was missed.
    const { messages } = late;
    expect(
      currentVersion({ ...late, messages: messages.slice(0, 1) }, message(52, 52)),
    ).toBeUndefined();
    expect(currentVersion({ ...late, hasMore: false }, older)).toBeUndefined();
  });

  it('counts messages of the partner as unread until they are read or deleted', () => {
    const three = withMessage(room, message(3, 3), true).room;
    const own = withMessage(three, message(4, 4, 'Ada'), true).room;
    expect(own.unread).toBe(1);
    expect(withDeleted(own, { _id: 'id-3', rev: 5 }, true).room.unread).toBe(0);
    expect(withChatroomRead(own, 4, 0)).toMatchObject({ readSeq: 4, unread: 0 });
  });

  it('counts a live message that arrived before an older resync response', () => {
    const live = withMessage(room, message(3, 3), true).room;
    const resynced = withChanges(live, changesOf(2, { readSeq: 2 }));
    expect(resynced).toMatchObject({ rev: 3, unread: 1 });
  });

  it('does not restore a message that was sent and deleted live before an older resync response', () => {
    const live = withMessage(room, message(3, 3), true).room;
    const deleted = withDeleted(live, { _id: 'id-3', rev: 4 }, true).room;
    // As in the offline copy.
    const stored = { ...deleted, deletedRevs: new Map() };
    const late = { readSeq: 2, unreadMessagesCount: 1 };
    const resynced = withChanges(stored, changesOf(3, late, { updated: [message(3, 3)] }));
    expect([seqs(resynced), resynced.rev, resynced.unread]).toEqual([[1, 2], 4, 0]);
  });

  it('counts unread messages itself, unless older ones are not loaded', () => {
    const live = withMessage(room, message(3, 3), true).room;
    expect(withChatroomRead(live, 2, 0).unread).toBe(1);
    const long = withNewestPage('room', page([message(51, 51)], 51, { hasMore: true }));
    expect(withChatroomRead(long, 20, 31).unread).toBe(31);
  });

  it("removes the partner's messages when their account is deleted", () => {
    const mixed = withMessage(room, message(3, 3, 'Ada'), true).room;
    const after = withChatState(mixed, gone(3));
    expect(after).toMatchObject({ partnerName: 'deletedUser', unread: 0 });
    expect(seqs(after)).toEqual([3]);
    expect(withChatState(after, chat({ rev: 3 }))).toBe(after);
  });

  it("removes the partner's messages when a resync reports the deleted account", () => {
    const mixed = withMessage(room, message(3, 3, 'Ada'), true).room;
    const deleted = { memberRev: 1, usernames: [], isDeletedAccount: true };
    expect(seqs(withChanges(mixed, changesOf(3, deleted)))).toEqual([3]);
  });

  it('removes what the partner wrote before the user declined a request elsewhere', () => {
    const answered = withMessage(room, message(3, 3, 'Ada'), true).room;
    const again = withMessage(answered, message(4, 4), true).room;
    const declined = chat({ rev: 4, memberRev: 1, status: 'request', clearedSeq: 2, readSeq: 2 });
    const after = withChatState(again, declined);
    expect(seqs(after)).toEqual([3, 4]);
    expect(after).toMatchObject({ status: 'request', unread: 1 });
  });

  it('has no message of either user from before the user deleted the chat', () => {
    const quote = { messageId: 'id-2', seq: 2, username: 'Bob', kind: 'text', content: 'm2' };
    const reply = { ...message(4, 4), replyTo: quote };
    const start = withNewestPage(
      'room',
      page([message(2, 2), message(3, 3, 'Ada')], 3, { hasMore: true }),
    );
    const detached = { messages: [message(1, 1, 'Ada')], hasMore: false };
    const before = withMessage({ ...start, detached }, reply, true).room;
    const deleted = { clearedSeq: 3, ownClearedSeq: 3, isRemoved: true, readSeq: 3 };
    const after = withChatState(before, chat({ rev: 4, memberRev: 1, ...deleted }));
    expect(after).toMatchObject({
      messages: [{ seq: 4, replyTo: { messageId: 'id-2', content: '', isDeleted: true } }],
      detached: undefined,
      hasMore: false,
      unread: 1,
    });
    // Responses that were sent before.
    const late = withOlderPage(after, page([message(1, 1), message(2, 2)], 4));
    expect(seqs(late)).toEqual([4]);
    expect(seqs(withMessage(after, message(3, 3, 'Ada', 'edited'), false).room)).toEqual([4]);
    expect(currentVersion(after, message(1, 1))).toBeUndefined();
    const { replyTo } =
      withMessage(after, { ...message(5, 5), replyTo: quote }, true).room.messages[1] ?? {};
    expect(replyTo).toMatchObject({ content: '', isDeleted: true });
  });

  it('has the state of the newest membership, in whatever order states arrive', () => {
    const states = [
      chat({ rev: 2, memberRev: 1, status: 'request', isSentAsRequest: true }),
      chat({ rev: 2, memberRev: 2, status: 'accepted', readSeq: 2 }),
      chat({ rev: 2, memberRev: 3, status: 'blocked', readSeq: 2 }),
    ];
    for (const order of [states, states.toReversed()]) {
      const after = order.reduce(withChatState, room);
      expect(after).toMatchObject({ memberRev: 3, status: 'blocked', readSeq: 2 });
      expect(after).not.toHaveProperty('isSentAsRequest');
    }
    const [first] = states;
    expect(first && withChatState(room, first)).toMatchObject({
      status: 'request',
      isSentAsRequest: true,
    });
  });

  it('stays accepted if the response to the last message of the request arrives later', () => {
    const own = message(3, 3, 'Ada');
    const sent = withMessage(room, own, true, true).room;
    expect(sent).toMatchObject({ isSentAsRequest: true });
    expect(withMessage(room, own, false, true).room).toMatchObject({ isSentAsRequest: true });
    const accepted = withChatState(sent, chat({ rev: 3, memberRev: 1 }));
    expect(accepted).not.toHaveProperty('isSentAsRequest');
    expect(withMessage(accepted, own, false, true).room).not.toHaveProperty('isSentAsRequest');
    expect(withMessage(sent, message(4, 4, 'Ada'), true, false).room).not.toHaveProperty(
      'isSentAsRequest',
    );
  });

  it('ignores a state of the same membership that is older than its messages', () => {
    const request: LoadedChatroom = { ...room, status: 'request' };
    const replied = withMessage(request, message(3, 3, 'Ada'), true).room;
    expect(replied.status).toBe('accepted');
    expect(withChatState(replied, chat({ rev: 2, status: 'request' }))).toBe(replied);
    expect(withChatState(replied, chat({ rev: 4, status: 'request' })).status).toBe('request');
  });

  it('is read up to the furthest position of this and other devices', () => {
    const unread = withMessage(room, message(3, 3), true).room;
    const here = withChatroomRead(unread, 3, 0);
    const elsewhere = chat({ rev: 3, memberRev: 1, readSeq: 2, unreadMessagesCount: 1 });
    expect(withChatState(here, elsewhere)).toMatchObject({ readSeq: 3, unread: 0, memberRev: 1 });
    const further = chat({ rev: 3, memberRev: 1, readSeq: 3 });
    expect(withChatState(unread, further)).toMatchObject({ readSeq: 3, unread: 0 });
    expect(withChatState(withChatState(unread, further), elsewhere).readSeq).toBe(3);
  });

  it('counts unread messages that are not loaded as a state does, unless that is older', () => {
    const long = withNewestPage('room', page([message(51, 51)], 51, { hasMore: true }));
    const counted = (rev: number, memberRev: number): LoadedChatroom =>
      withChatState(long, chat({ rev, memberRev, readSeq: 20, unreadMessagesCount: 31 }));
    expect(counted(51, 1)).toMatchObject({ readSeq: 20, unread: 31 });
    expect(counted(50, 1)).toMatchObject({ readSeq: 20, unread: 0 });
  });

  it('keeps its identity if a state changes nothing', () => {
    const same = chat({ rev: 2, readSeq: 2 });
    expect(withChatState(room, same)).toBe(room);
  });
});

/** The complete history of a chatroom. Each change is a new message, an edit or a deletion. */
const histories = fc.array(
  fc.record({ kind: fc.constantFrom('new', 'new', 'edit', 'delete'), pick: fc.nat() }),
  { minLength: 1, maxLength: 40 },
);
type Change = { rev: number } & ({ message: Message } | { deleted: DeletedMessage });

function play(steps: { kind: string; pick: number }[]): { changes: Change[]; final: Message[] } {
  const remaining: Message[] = [];
  const changes: Change[] = [];
  let seq = 0;
  for (const [index, { kind, pick }] of steps.entries()) {
    const rev = index + 1;
    const target = remaining[pick % Math.max(1, remaining.length)];
    if (kind === 'new' || !target) {
      seq += 1;
      const made = message(seq, rev, pick % 2 === 0 ? 'Ada' : 'Bob');
      remaining.push(made);
      changes.push({ rev, message: made });
    } else if (kind === 'edit') {
      const edited = { ...target, rev, content: `edited ${rev}` };
      remaining[remaining.indexOf(target)] = edited;
      changes.push({ rev, message: edited });
    } else {
      remaining.splice(remaining.indexOf(target), 1);
      const { _id, chatroom, seq } = target;
      changes.push({ rev, deleted: { _id, chatroom, seq, rev } });
    }
  }
  return { changes, final: remaining };
}

/** Returns the server's response for all changes since `rev`. */
function changesSince(changes: Change[], rev: number, final: Message[]): Changes['rooms'][number] {
  const later = changes.filter((change) => change.rev > rev);
  return changesOf(
    changes.length,
    {},
    {
      updated: final.filter((message) => message.rev > rev),
      deleted: later.flatMap((change) => ('deleted' in change ? [change.deleted] : [])),
    },
  );
}

describe('a chatroom in any history', () => {
  it('reaches the same state despite lost and duplicate events, once gaps are resynced', () => {
    fc.assert(
      fc.property(histories, fc.array(fc.nat(4)), (steps, deliveries) => {
        const { changes, final } = play(steps);
        let room = withNewestPage('room', page([], 0));
        for (const [index, change] of changes.entries()) {
          const delivery = deliveries[index] ?? 0;
          if (delivery === 1) continue;
          for (let times = delivery === 2 ? 2 : 1; times > 0; times -= 1) {
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

  it('reaches the same state if messages were sent and deleted while disconnected', () => {
    const steps = ['new', 'new', 'new', 'delete'].map((kind) => ({ kind, pick: 0 }));
    const { changes, final } = play(steps);
    const before = play(steps.slice(0, 2)).final;
    const room = withNewestPage('room', page(before, 2));
    expect(withChanges(room, changesSince(changes, room.rev, final)).messages).toEqual(final);
  });
});

it('removes the reactions of a deleted partner', () => {
  const reactions = [{ emoji: '👍', usernames: ['Bob', 'Ada'] }];
  const own = { ...message(1, 1, 'Ada'), reactions };
  const room = withNewestPage('room', page([own, message(2, 2)], 2));
  expect(withChatState(room, gone(2)).messages).toEqual([
    { ...own, reactions: [{ emoji: '👍', usernames: ['Ada'] }] },
  ]);
});
