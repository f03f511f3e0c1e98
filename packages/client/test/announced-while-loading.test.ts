import type { Chatroom, ChatState, LastReaction, Message, ServerEvents } from '@parley/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  createApiClient,
  createClient,
  createHeadlessPlatform,
  type Client,
} from '../src/index.ts';
import type { ClientSocket } from '../src/sync/socket.ts';
import { createChatState } from './create-chat-state.ts';

// The long timeout is for slow machines. The tests do not depend on speed.
const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 5 });
const NOW = new Date().toISOString();

const message = (changes: Partial<Message>): Message => ({
  _id: 'm1',
  chatroom: 'room',
  content: 'hello',
  sender: { username: 'Bob' },
  createdAt: NOW,
  updatedAt: NOW,
  seq: 1,
  rev: 1,
  kind: 'text',
  ...changes,
});

type LiveEvent = { [Name in keyof ServerEvents]: [Name, ServerEvents[Name]] }[keyof ServerEvents];

/** What another user does: the list before and after it, and the events that tell of it. */
interface Happening {
  readonly before: readonly ChatState[];
  readonly after: readonly ChatState[];
  readonly events: readonly LiveEvent[];
}

const accepted = createChatState({
  memberRev: 1,
  settings: { isMarkedUnread: true },
  invitationAcceptedAt: NOW,
});
const first = message({});
const own = message({ sender: { username: 'Ada' } });
const reaction: LastReaction = {
  messageId: 'm1',
  emoji: '👍',
  content: 'hello',
  kind: 'text',
  createdAt: NOW,
};

const HAPPENINGS: Readonly<Record<string, Happening>> = {
  'an invitation accepted by a new partner': {
    before: [],
    after: [accepted],
    events: [['chat', accepted]],
  },
  'an invitation accepted by a known partner': {
    before: [createChatState()],
    after: [accepted],
    events: [['chat', accepted]],
  },
  'the first message of a new chat': {
    before: [],
    after: [createChatState({ status: 'undecided', unreadMessagesCount: 1 }, first)],
    events: [['message', { ...first, isUndecided: true }]],
  },
  'a new request': {
    before: [],
    after: [createChatState({ status: 'request', unreadMessagesCount: 1 }, first)],
    events: [['message', { ...first, isRequest: true }]],
  },
  'a reaction': {
    before: [createChatState({ readSeq: 1 }, own)],
    after: [createChatState({ readSeq: 1, lastReaction: reaction }, { ...own, rev: 2 })],
    events: [
      ['message-update', { updatedMessage: { ...own, rev: 2 } }],
      ['reaction', { chatroom: 'room', rev: 2, reaction, isOn: true }],
    ],
  },
};

/** A client whose requests of the list and whose live connection the test holds. */
class HeldClient {
  readonly client: Client;
  /** Chats of the notifications so far. */
  readonly notified: string[] = [];
  /** The chatroom, which can be opened. */
  chatroom: Chatroom | undefined;
  readonly #lists: ((response: Response) => void)[] = [];
  readonly #listeners = new Map<string, (payload?: unknown) => void>();

  constructor() {
    const socket = {
      connected: false,
      active: true,
      on: (name: string, listener: () => void) => this.#listeners.set(name, listener),
      off: () => this.#listeners.clear(),
      connect: () => undefined,
      disconnect: () => undefined,
    };
    this.client = createClient({
      api: createApiClient({
        origin: 'http://localhost',
        fetch: async (input) => this.#respond(new URL(new Request(input).url).pathname),
      }),
      username: 'Ada',
      platform: createHeadlessPlatform(),
      openSocket: () => socket as unknown as ClientSocket,
      events: { onUnseen: ({ chatroomId }) => this.notified.push(chatroomId) },
    });
    onTestFinished(() => this.client.dispose());
  }

  /** Receives live events, or `connect` and `disconnect`. */
  receive(...events: readonly (readonly [string, unknown?])[]): void {
    for (const [name, payload] of events) this.#listeners.get(name)?.(payload);
  }

  /** Responds to the next request of the list: with chats, or with a failure. */
  async list(chatrooms: readonly ChatState[] | undefined): Promise<void> {
    const respond = await this.requested();
    const body = { chatrooms, currentUsername: 'Ada', volume: 'middle' };
    respond(
      chatrooms
        ? Response.json(body)
        : Response.json({ code: 'internal', errorMessage: 'no' }, { status: 500 }),
    );
  }

  /** Resolves once the list is requested. */
  async requested(): Promise<(response: Response) => void> {
    await until(() => expect(this.#lists).not.toEqual([]));
    const respond = this.#lists[0];
    if (!respond) throw new Error('no request');
    return (response) => {
      this.#lists.shift();
      respond(response);
    };
  }

  /** Resolves once the client knows chats in a state. */
  async knows(chatrooms: readonly ChatState[]): Promise<void> {
    const revs = chatrooms.map(({ rev, memberRev }) => ({ rev, memberRev }));
    await until(() => expect(this.client.chats.getState().chats).toMatchObject(revs));
  }

  async online(): Promise<void> {
    await until(() => expect(this.client.connection.getState().status).toBe('online'));
  }

  /** Connects with a list, before and after the connection. */
  async start(chatrooms: readonly ChatState[]): Promise<void> {
    await this.list(chatrooms);
    this.receive(['connect']);
    await this.list(chatrooms);
    await this.online();
  }

  /** Expects one notification of the chat, also after that of a later message. */
  async expectOne(): Promise<void> {
    await until(() => expect(this.notified).toContain('room'));
    this.receive(['message', message({ _id: 'later', chatroom: 'other' })]);
    await until(() => expect(this.notified).toContain('other'));
    expect(this.notified).toEqual(['room', 'other']);
  }

  async #respond(path: string): Promise<Response> {
    if (path === '/api/chatrooms/chats') {
      return new Promise((resolve) => void this.#lists.push(resolve));
    }
    if (this.chatroom && path === '/api/chatrooms/chats/room') return Response.json(this.chatroom);
    return Response.json({ code: 'not_found', errorMessage: 'no' }, { status: 404 });
  }
}

/** When the events arrive, and which lists contain what they tell. */
const ORDERS: Readonly<Record<string, (held: HeldClient, happening: Happening) => Promise<void>>> =
  {
    'before the first list, which lacks it': async (held, { before, after, events }) => {
      held.receive(['connect'], ...events);
      await held.list(before);
      await held.list(after);
    },
    'before the first list, which contains it': async (held, { after, events }) => {
      held.receive(['connect'], ...events);
      await held.list(after);
      await held.list(after);
    },
    'while the list is loading again, which lacks it': async (held, { before, events }) => {
      await held.list(before);
      held.receive(['connect']);
      await held.requested();
      held.receive(...events);
      await held.list(before);
    },
    'while the list is loading again, which contains it': async (
      held,
      { before, after, events },
    ) => {
      await held.list(before);
      held.receive(['connect']);
      await held.requested();
      held.receive(...events);
      await held.list(after);
    },
    'after the lists, twice': async (held, { before, events }) => {
      await held.start(before);
      held.receive(...events, ...events);
    },
    'after a list that was loaded again and contains it': async (
      held,
      { before, after, events },
    ) => {
      await held.start(before);
      held.client.reloadChats();
      await held.list(after);
      await held.knows(after);
      held.receive(...events);
    },
    'after a response of its chatroom that contains it': async (
      held,
      { before, after, events },
    ) => {
      await held.start(before);
      const [chat] = after;
      if (!chat) throw new Error('no chat');
      held.chatroom = {
        chat,
        chatroomMessages: [],
        currentUsername: 'Ada',
        partnerName: 'Bob',
        unreadMessagesCount: chat.unreadMessagesCount,
        volume: 'middle',
        hasMore: false,
      };
      await held.client.open('room');
      await held.knows(after);
      held.receive(...events);
    },
    'not at all, as it happened before a reconnect': async (held, { before, after }) => {
      await held.start(before);
      held.receive(['disconnect'], ['connect']);
      await held.list(after);
    },
    'during a reconnect, whose list lacks it': async (held, { before, events }) => {
      await held.start(before);
      held.receive(['disconnect'], ['connect'], ...events);
      await held.list(before);
    },
    'during a reconnect, whose list contains it': async (held, { before, after, events }) => {
      await held.start(before);
      held.receive(['disconnect'], ['connect'], ...events);
      await held.list(after);
    },
  };

const { 'a reaction': _reaction, ...WITH_NAME } = HAPPENINGS;

test.for(Object.entries(WITH_NAME))(
  '%s is announced once if it arrives while the list cannot be loaded',
  async ([, { after, events }]) => {
    const held = new HeldClient();
    await held.list(undefined);
    held.receive(['connect']);
    await held.list(undefined);
    await held.online();
    held.receive(...events);
    await until(() => expect(held.notified).toEqual(['room']));
    held.client.reloadChats();
    await held.list(after);
    await held.expectOne();
  },
);

for (const [what, happening] of Object.entries(HAPPENINGS)) {
  test.for(Object.keys(ORDERS))(`${what} is announced once if it arrives %s`, async (order) => {
    const held = new HeldClient();
    await ORDERS[order]?.(held, happening);
    await held.online();
    await held.expectOne();
  });
}
