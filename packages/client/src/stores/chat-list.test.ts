import type { ChatState, LastReaction, Message } from '@parley/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  playScenario,
  SCENARIO_KINDS,
  type ScenarioEvent,
  type ScenarioOutcome,
  type ScenarioStep,
} from '../../test/chat-scenario.ts';
import { createChatState } from '../../test/create-chat-state.ts';
import { selectTotalUnread } from '../shown/listed-chat.ts';
import {
  areConcurrent,
  deliveryOf,
  mergeChat,
  toChat,
  withChat,
  withLastMessage,
  withoutMessages,
  withReaction,
  withRead,
  withSettings,
  withUpdatedMessage,
  type Chat,
} from './chat-list.ts';

const at = (minute: number): string => `2025-03-20T09:0${minute}:00.000Z`;

const message = (seq: number, changes: Partial<Message> = {}): Message => ({
  _id: `m${seq}`,
  chatroom: 'room',
  content: `text ${seq}`,
  sender: { username: 'Bob' },
  createdAt: at(seq),
  updatedAt: at(seq),
  seq,
  rev: seq,
  kind: 'text',
  ...changes,
});

/** Creates the chat with the messages 1 to `seq` of the partner, which are read. */
const chatOf = (seq: number, changes: Partial<ChatState> = {}): Chat =>
  toChat(createChatState({ readSeq: seq, ...changes }, message(seq)));

const reaction: LastReaction = {
  messageId: 'm1',
  emoji: '👍',
  content: 'text 1',
  kind: 'text',
  createdAt: at(5),
};

describe('the chat list', () => {
  const older = chatOf(1, { chatId: 'a' });
  const newer = chatOf(2, { chatId: 'b' });
  const listOf = (...chats: Chat[]): readonly Chat[] => chats.reduce(withChat, []);
  const ids = (chats: readonly Chat[]): string[] => chats.map(({ id }) => id);

  it('shows pinned chats first, then the newest, and deleted accounts last', () => {
    const pinned = chatOf(1, { chatId: 'pinned', settings: { isPinned: true } });
    const gone = chatOf(9, {
      chatId: 'gone',
      isDeletedAccount: true,
      settings: { isPinned: true },
    });
    expect(ids(listOf(gone, older, pinned, newer))).toEqual(['pinned', 'b', 'a', 'gone']);
    expect(gone).not.toHaveProperty('isPinned');
  });

  it('moves a chat that has changed to its place, and keeps the others as they are', () => {
    const list = listOf(older, newer);
    const changed = withLastMessage(older, message(3, { rev: 2 }), false);
    const after = withChat(list, changed ?? older);
    expect(ids(after)).toEqual(['a', 'b']);
    expect(after[1]).toBe(newer);
    expect(withChat(after, after[0] ?? older)).toBe(after);
    const unpinned = withChat(list, withSettings(older, { isPinned: true }));
    expect(ids(withChat(unpinned, older))).toEqual(['b', 'a']);
  });

  it('does not count the unread messages of requests', () => {
    const request = chatOf(2, { status: 'request', readSeq: 0, unreadMessagesCount: 2 });
    const undecided = chatOf(2, { status: 'undecided', readSeq: 1, unreadMessagesCount: 1 });
    expect(selectTotalUnread({ chats: [request, undecided] })).toBe(1);
    const accepted = withLastMessage(request, message(3), true);
    expect(accepted).toMatchObject({ status: 'accepted', unread: 2 });
    expect(selectTotalUnread({ chats: accepted ? [accepted] : [] })).toBe(2);
  });
});

describe('a message', () => {
  it('is placed where the server places it if the clock of the server was put back', () => {
    const activeAt = '2031-01-01T00:00:00.000Z';
    expect(withLastMessage(chatOf(1), message(2, { activeAt }), false)).toMatchObject({
      activeAt,
      time: message(2).createdAt,
    });
  });

  it('becomes the newest of a chat once, however often it arrives', () => {
    const after = withLastMessage(chatOf(1), message(2), false);
    expect(after).toMatchObject({
      rev: 2,
      unread: 1,
      last: { content: 'text 2', isOwn: false, seq: 2 },
      time: at(2),
      activeAt: at(2),
    });
    expect(after && withLastMessage(after, message(2), false)).toBe(after);
  });

  it('does not count as unread if it is the own one', () => {
    expect(withLastMessage(chatOf(1), message(2), true)).toMatchObject({
      unread: 0,
      last: { isOwn: true },
    });
  });

  it('cannot be applied after missed changes', () => {
    expect(withLastMessage(chatOf(1), message(3), false)).toBeUndefined();
    expect(withUpdatedMessage(chatOf(1), message(1, { rev: 3 }))).toBeUndefined();
  });

  it.each([
    [{ isRequest: true }, 'request'],
    [{ isUndecided: true }, 'undecided'],
    [{}, 'accepted'],
  ])('of the partner with %j leaves the chat %s', (flags, status) => {
    const before = chatOf(1, { status: 'none' });
    expect(withLastMessage(before, message(2, flags), false)?.status).toBe(status);
  });

  it('is not pinned any more once it is a quiet request', () => {
    const settings = { isPinned: true, mutedUntil: at(9) };
    const before = chatOf(1, { status: 'undecided', settings });
    const kept = withLastMessage(before, message(2, { isUndecided: true }), false);
    expect(kept).toMatchObject({ isPinned: true, settings });
    const after = withLastMessage(before, message(2, { isRequest: true }), false);
    const { settings: left } = chatOf(1, { settings: { mutedUntil: at(9) } });
    expect(after).toMatchObject({ status: 'request', settings: left });
    expect(after).not.toHaveProperty('isPinned');
  });

  it('tells whether the messages of the user arrive as a request, until the partner writes', () => {
    const sent = withLastMessage(chatOf(1), message(2, { isSentAsRequest: true }), true);
    expect(sent?.isSentAsRequest).toBe(true);
    const replied = sent && withLastMessage(sent, message(3), false);
    expect(replied).not.toHaveProperty('isSentAsRequest');
  });

  it('takes a chat out of the archive if it is of the partner and not muted', () => {
    const settingsAfter = (isOwn: boolean, mutedUntil?: string) => {
      const settings = { isArchived: true, ...(mutedUntil && { mutedUntil }) };
      return withLastMessage(chatOf(2, { settings }), message(3), isOwn)?.settings;
    };
    expect(settingsAfter(false)).toEqual({});
    expect(settingsAfter(true)).toEqual({ isArchived: true });
    expect(settingsAfter(false, 'corrupted')).toEqual({ mutedUntil: 'corrupted' });
    expect(settingsAfter(false, at(2))).toEqual({ mutedUntil: at(2) });
    expect(settingsAfter(false, at(4))).toEqual({ isArchived: true, mutedUntil: at(4) });
  });

  it('replaces its text in the chat and in the reaction to it after an edit', () => {
    const edited = withUpdatedMessage(chatOf(2), message(2, { content: 'new', rev: 3 }));
    expect(edited).toMatchObject({ rev: 3, last: { content: 'new', seq: 2 }, time: at(2) });
    expect(edited && withUpdatedMessage(edited, message(2))).toBe(edited);
    const reacted = chatOf(2, { lastReaction: reaction });
    const after = withUpdatedMessage(reacted, message(1, { content: 'new', rev: 3 }));
    expect(after).toMatchObject({ rev: 3, last: { content: 'text 2' } });
    expect(after?.reaction).toEqual({ ...reaction, content: 'new' });
  });
});

describe('a reaction of the partner', () => {
  it('is shown until it is taken back or a message is newer', () => {
    const reacted = withReaction(chatOf(1), reaction, true);
    expect(reacted.reaction).toEqual(reaction);
    expect(withReaction(reacted, { ...reaction, emoji: '🙏' }, false)).toBe(reacted);
    expect(withReaction(reacted, { ...reaction, messageId: 'm0' }, false)).toBe(reacted);
    expect(withReaction(reacted, reaction, false)).not.toHaveProperty('reaction');
    expect(withLastMessage(reacted, message(2), false)).not.toHaveProperty('reaction');
  });

  it('is that of the newer state', () => {
    const reacted = chatOf(1, { rev: 2, lastReaction: reaction });
    expect(mergeChat(chatOf(1), reacted).reaction).toEqual(reaction);
    expect(mergeChat(reacted, chatOf(1)).reaction).toEqual(reaction);
    expect(mergeChat(reacted, chatOf(1, { rev: 3 }))).not.toHaveProperty('reaction');
  });
});

describe('a chat that was read', () => {
  it('has as many unread messages as can be after the read position', () => {
    const unread = chatOf(5, { readSeq: 1, unreadMessagesCount: 4 });
    expect(withRead(unread, 5)).toMatchObject({ readSeq: 5, unread: 0 });
    expect(withRead(unread, 3)).toMatchObject({ readSeq: 3, unread: 2 });
    expect(withRead(unread, 1)).toBe(unread);
  });

  it('stays read on this device while the server does not know of it', () => {
    const read = withRead(chatOf(2, { readSeq: 0, unreadMessagesCount: 2 }), 2);
    const stale = chatOf(2, { readSeq: 0, unreadMessagesCount: 2 });
    expect(mergeChat(read, stale)).toBe(read);
    const later = chatOf(3, { readSeq: 0, unreadMessagesCount: 3 });
    expect(mergeChat(read, later)).toMatchObject({ readSeq: 2, unread: 1, rev: 3 });
    const pinned = { ...stale, memberRev: 1, settings: { isPinned: true } };
    expect(mergeChat(read, pinned)).toMatchObject({ unread: 0, settings: { isPinned: true } });
  });
});

describe('a chat that the user deletes', () => {
  const deleted = (status: Chat['status'], seq: number): Chat =>
    withoutMessages(chatOf(5, { status, readSeq: 1, unreadMessagesCount: 4 }), seq);

  it('is read up to there once the user has accepted the partner', () => {
    expect(deleted('accepted', 5)).toMatchObject({ readSeq: 5, unread: 0, last: null });
    expect(deleted('accepted', 3)).toMatchObject({ readSeq: 3, unread: 2 });
  });

  it.each(['request', 'undecided', 'blocked'] as const)(
    'is not read if it is %s, but has unread messages after there only',
    (status) => {
      expect(deleted(status, 5)).toMatchObject({ readSeq: 1, unread: 0, last: null });
      expect(deleted(status, 3)).toMatchObject({ readSeq: 1, clearedSeq: 3, unread: 2 });
    },
  );

  it('has unread messages after the deleted ones only when an older state arrives', () => {
    const cleared = { status: 'undecided', readSeq: 1, clearedSeq: 5, ownClearedSeq: 5 } as const;
    const known = toChat(createChatState({ ...cleared, rev: 5, memberRev: 1, isRemoved: true }));
    const later = chatOf(6, { status: 'undecided', readSeq: 1, unreadMessagesCount: 5 });
    expect(mergeChat(known, later)).toMatchObject({ readSeq: 1, unread: 1, last: { seq: 6 } });
  });
});

describe('two states of a chat', () => {
  it('keep the identity of the known one if nothing has changed', () => {
    const known = chatOf(2, { settings: { isPinned: true } });
    const same = chatOf(2, { settings: { isPinned: true } });
    expect(mergeChat(known, same)).toBe(known);
    expect(mergeChat(known, chatOf(1))).toBe(known);
  });

  it('are merged by the revisions of the chatroom and of the membership', () => {
    const sent = chatOf(3, { memberRev: 1, readSeq: 1, unreadMessagesCount: 2 });
    const muted = chatOf(2, {
      memberRev: 2,
      readSeq: 2,
      settings: { mutedUntil: at(9) },
      partnerDeliveredSeq: 1,
    });
    for (const merged of [mergeChat(sent, muted), mergeChat(muted, sent)]) {
      expect(merged).toMatchObject({
        rev: 3,
        memberRev: 2,
        last: { seq: 3 },
        readSeq: 2,
        unread: 1,
        settings: { mutedUntil: at(9) },
        receipt: { deliveredSeq: 1, readSeq: 0 },
      });
    }
    expect(areConcurrent(sent, muted)).toBe(true);
    expect(areConcurrent(sent, chatOf(2, { memberRev: 1 }))).toBe(false);
    expect(areConcurrent(sent, chatOf(4, { memberRev: 2 }))).toBe(false);
  });

  it('are merged by the revision of the chatroom if the membership has not changed', () => {
    const replied = chatOf(3, { status: 'accepted', settings: {} });
    const before = chatOf(2, { status: 'request', settings: { isArchived: true } });
    expect(mergeChat(replied, before)).toBe(replied);
    expect(mergeChat(before, replied)).toEqual(replied);
  });

  it('have the unread messages of the newer membership if no message is newer', () => {
    // The messages 2 to 5, of which 4 is deleted.
    const before = chatOf(5, { rev: 6, readSeq: 1, unreadMessagesCount: 3 });
    const read = chatOf(5, { rev: 6, memberRev: 1, readSeq: 3, unreadMessagesCount: 1 });
    expect(mergeChat(read, before)).toBe(read);
    expect(mergeChat(before, read)).toEqual(read);
    const declined = toChat(createChatState({ rev: 6, memberRev: 2, status: 'none' }));
    expect(mergeChat(declined, read)).toMatchObject({ status: 'none', last: null });
  });
});

it('a chat contains what the partner received and read, of the newer state only', () => {
  const receipt = (memberRev: number, partnerDeliveredSeq: number, partnerReadSeq: number): Chat =>
    chatOf(3, { memberRev, partnerDeliveredSeq, partnerReadSeq });
  expect(receipt(1, 3, 2).receipt).toEqual({ deliveredSeq: 3, readSeq: 2 });
  expect(chatOf(3).receipt).toBeNull();
  expect(mergeChat(receipt(2, 3, 3), receipt(1, 3, 2)).receipt).toEqual({
    deliveredSeq: 3,
    readSeq: 3,
  });
  // A message that is newer than the receipt.
  const newer = chatOf(4, { memberRev: 1 });
  expect(mergeChat(newer, receipt(2, 3, 2))).toMatchObject({
    rev: 4,
    receipt: { deliveredSeq: 3, readSeq: 2 },
  });
  // The user shares receipts no more.
  expect(mergeChat(receipt(2, 3, 3), chatOf(3, { memberRev: 3 })).receipt).toBeNull();
});

it('tells whether an own message was delivered and read', () => {
  const receipt = { deliveredSeq: 3, readSeq: 2 };
  expect([1, 2, 3, 4].map((seq) => deliveryOf(seq, receipt))).toEqual([
    'read',
    'read',
    'delivered',
    'sent',
  ]);
  expect(deliveryOf(1, null)).toBe('sent');
  expect(deliveryOf(undefined, receipt)).toBe('sent');
});

describe('a chat in any history', () => {
  const steps: fc.Arbitrary<ScenarioStep[]> = fc.array(
    fc.record({ kind: fc.constantFrom(...SCENARIO_KINDS), pick: fc.nat(100) }),
    { minLength: 1, maxLength: 30, size: 'max' },
  );

  /** What a device knows of the chat. */
  interface Device {
    chat: Chat;
    /** Whether it must fetch the state, as it may have missed changes. */
    mustFetch: boolean;
  }

  const startOf = ([start]: readonly ScenarioOutcome[]): Device => {
    if (!start) throw new Error('no start');
    return { chat: toChat(start.state), mustFetch: false };
  };
  const endOf = (outcomes: readonly ScenarioOutcome[]): Chat => {
    const end = outcomes.at(-1);
    if (!end) throw new Error('no end');
    return toChat(end.state);
  };

  function receive({ chat, mustFetch }: Device, state: ChatState): Device {
    const incoming = toChat(state);
    return {
      chat: mergeChat(chat, incoming),
      mustFetch: mustFetch || areConcurrent(chat, incoming),
    };
  }

  function apply(device: Device, event: ScenarioEvent): Device {
    const { chat } = device;
    const set = (changed: Chat | undefined): Device =>
      changed ? { ...device, chat: changed } : { ...device, mustFetch: true };
    if (event.type === 'chat') return receive(device, event.state);
    if (event.type === 'read here') return set(withRead(chat, event.seq));
    if (event.type === 'reaction') {
      const { rev, reaction: incoming, isOn } = event;
      const seq = Number(incoming.messageId.slice(1));
      return rev === chat.rev ? set(withReaction(chat, incoming, isOn, seq)) : device;
    }
    const { message: each } = event;
    if (event.type === 'message-update') return set(withUpdatedMessage(chat, each));
    return set(withLastMessage(chat, each, each.sender.username === 'Ada'));
  }

  it('is as on the server once all its states have arrived in any order, between messages', () => {
    fc.assert(
      fc.property(
        steps,
        fc.array(fc.record({ state: fc.nat(), after: fc.nat() }), { maxLength: 40, size: 'max' }),
        fc.nat(),
        (history, responses, lastAfter) => {
          const outcomes = playScenario(history);
          const messages = outcomes.flatMap(({ events }) =>
            events.filter(({ type }) => type !== 'chat'),
          );
          const arrivals = [
            ...responses.map(({ state, after }) => ({ state: state % outcomes.length, after })),
            // Each at least once, the first ones late.
            ...outcomes.map((_, i) => ({ state: i, after: lastAfter + outcomes.length - i })),
          ].map(({ state, after }) => ({ state, after: after % (messages.length + 1) }));
          let device = startOf(outcomes);
          for (let i = 0; i <= messages.length; i += 1) {
            for (const { state } of arrivals.filter(({ after }) => after === i)) {
              const outcome = outcomes[state];
              if (outcome) device = receive(device, outcome.state);
            }
            const event = messages[i];
            if (event) device = apply(device, event);
          }
          expect(device.chat).toEqual(endOf(outcomes));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('is as on the server after its events in order, without a request unless changes were missed', () => {
    fc.assert(
      fc.property(
        steps,
        fc.array(fc.option(fc.nat(), { freq: 3 }), { maxLength: 60, size: 'max' }),
        (history, responses) => {
          const outcomes = playScenario(history);
          // What follows the last event cannot be known.
          const told = outcomes.slice(0, 1 + outcomes.findLastIndex(({ events }) => events.length));
          const waiting = [...responses];
          let device = startOf(outcomes);
          for (const event of told.flatMap(({ events }) => events)) {
            device = apply(device, event);
            // An older response, or one that is ahead of the events.
            const response = waiting.shift();
            const outcome = told[(response ?? 0) % told.length];
            if (typeof response === 'number' && outcome) device = receive(device, outcome.state);
          }
          const hasGap = told.slice(1).some(({ events }) => events.length === 0);
          if (!hasGap) expect(device.mustFetch).toBe(false);
          const end = endOf(told.length === 0 ? outcomes : told);
          const fetched = device.mustFetch ? mergeChat(device.chat, end) : device.chat;
          expect(fetched).toEqual(end);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
