import {
  LIMITS,
  type Changes,
  type Chatroom,
  type Message,
  type PageQuery,
} from '@parley/contract';
import { vi } from 'vitest';
import type { ApiClient } from '../src/api/client.ts';
import { createClientStores, type ClientStores } from '../src/client-stores.ts';
import { createHeadlessPlatform } from '../src/headless-platform.ts';
import { createJumps, type Jumps } from '../src/jumps.ts';
import type { LoadedChatroom, withMessage } from '../src/stores/loaded-chatroom.ts';
import { findLoadedChatroom } from '../src/stores/loaded-chatrooms.ts';
import { shownPart, withOnlyNear } from '../src/stores/message-window.ts';
import { createChatroomLoader, type ChatroomLoader } from '../src/sync/chatroom-loader.ts';
import { releaseMessages } from '../src/sync/release-messages.ts';
import { createAdasOutbox } from './create-adas-outbox.ts';
import { createChatState } from './create-chat-state.ts';

/** The id of the chatroom. */
export const ROOM = 'room';

/** A chatroom on a server that keeps every message in a list. */
export class NaiveServer {
  readonly messages: Message[] = [];
  readonly deletions: { _id: string; seq: number; rev: number }[] = [];
  rev = 0;
  readSeq: number;

  constructor(count: number) {
    for (let seq = 1; seq <= count; seq += 1) this.send(seq % 3 === 0);
    this.readSeq = count;
  }

  send(isOwn: boolean): Message {
    this.rev += 1;
    const seq = this.messages.length + this.deletions.length + 1;
    const message: Message = {
      _id: `m${seq}`,
      chatroom: ROOM,
      content: `text ${seq}`,
      sender: { username: isOwn ? 'Ada' : 'Bob' },
      createdAt: '2026-03-20T09:00:00.000Z',
      updatedAt: '2026-03-20T09:00:00.000Z',
      seq,
      rev: this.rev,
      kind: 'text',
    };
    this.messages.push(message);
    return message;
  }

  edit(at: number): Message | undefined {
    const index = Math.floor(at * this.messages.length);
    const before = this.messages[index];
    if (!before) return undefined;
    this.rev += 1;
    const edited = { ...before, rev: this.rev, content: `edited ${this.rev}` };
    this.messages[index] = edited;
    return edited;
  }

  delete(at: number): { _id: string; seq: number; rev: number } | undefined {
    const [deleted] = this.messages.splice(Math.floor(at * this.messages.length), 1);
    if (!deleted) return undefined;
    this.rev += 1;
    const deletion = { _id: deleted._id, seq: deleted.seq, rev: this.rev };
    this.deletions.push(deletion);
    return deletion;
  }

  page({ before, after, around, limit = LIMITS.pageDefault }: PageQuery): Chatroom {
    const { messages: all } = this;
    const older = (seq: number, count: number) => {
      const end = indexOfSeq(all, seq);
      return all.slice(Math.max(0, end - count), end);
    };
    const newer = (seq: number, count: number) => {
      const start = indexOfSeq(all, seq + 1);
      return all.slice(start, start + count);
    };
    let messages = older(before ?? Infinity, limit);
    if (after !== undefined) messages = newer(after, limit);
    if (around !== undefined) {
      const following = newer(around - 1, Math.ceil(limit / 2));
      messages = [...older(around, limit - following.length), ...following];
    }
    const first = messages[0]?.seq ?? (after === undefined ? 0 : after + 1);
    const last = messages.at(-1)?.seq ?? after ?? Infinity;
    const isNewest = after === undefined && around === undefined;
    return {
      chat: this.chat(),
      chatroomMessages: messages,
      currentUsername: 'Ada',
      partnerName: 'Bob',
      unreadMessagesCount: this.unread(),
      volume: 'middle',
      hasMore: older(first, 1).length > 0,
      ...(!isNewest && newer(last, 1).length > 0 && { hasNewer: true }),
    };
  }

  changes(since: number): Changes {
    const room = {
      chat: this.chat(),
      rev: this.rev,
      updated: this.messages.filter(({ rev }) => rev > since),
      deleted: this.deletions
        .filter(({ rev }) => rev > since)
        .map(({ _id, seq, rev }) => ({ _id, seq, rev, chatroom: ROOM })),
    };
    return { rooms: [room], gone: [], hasMore: false };
  }

  private unread(): number {
    const unread = this.messages
      .slice(indexOfSeq(this.messages, this.readSeq + 1))
      .filter(({ sender }) => sender.username === 'Bob');
    return Math.min(unread.length, LIMITS.unreadMax);
  }

  private chat() {
    return createChatState(
      { rev: this.rev, readSeq: this.readSeq, unreadMessagesCount: this.unread() },
      this.messages.at(-1),
    );
  }
}

/** Returns the index of the first message at a position or later. */
function indexOfSeq(messages: readonly Message[], seq: number): number {
  let [low, high] = [0, messages.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((messages[middle]?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A request that the server has not answered, or whose response has not arrived. */
interface PendingRequest {
  answer: () => void;
  deliver: (() => void) | undefined;
}

/** A client of one chatroom whose requests are answered and delivered in any order. */
export class WindowWorld {
  readonly stores: ClientStores;
  readonly jumps: Jumps;
  readonly loader: ChatroomLoader;
  readonly pending: PendingRequest[] = [];
  readonly stop = new AbortController();
  /** Number of live events that are lost. */
  lost = 0;

  readonly server: NaiveServer;

  constructor(server: NaiveServer) {
    this.server = server;
    const { store: outbox } = createAdasOutbox();
    const opened = Promise.resolve(undefined);
    const { signal } = this.stop;
    this.stores = createClientStores(createHeadlessPlatform(), 'Ada', opened, outbox, signal);
    const call = (name: string, options: { query?: PageQuery; body?: { since: object } }) =>
      this.request(() =>
        name === 'getChatroom'
          ? server.page(options.query ?? {})
          : server.changes(Number(Object.values(options.body?.since ?? {})[0])),
      );
    const api = { call } as unknown as ApiClient;
    const copy = { findChatroom: () => Promise.resolve(undefined) };
    this.loader = createChatroomLoader({
      api,
      stores: this.stores,
      copy,
      applyChat: () => undefined,
      signal,
    });
    this.jumps = createJumps(api, this.stores, signal);
    this.stores.connection.getState().setStatus('online');
  }

  get room(): LoadedChatroom | undefined {
    return findLoadedChatroom(this.stores.rooms.getState(), ROOM);
  }

  private request<T>(read: () => T): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>();
    const pending: PendingRequest = {
      answer: () => {
        const response = read();
        pending.deliver = () => resolve(response);
      },
      deliver: undefined,
    };
    this.pending.push(pending);
    return promise;
  }

  /** Answers a request that waits at the server, or delivers its response. */
  async advance(pick: number): Promise<void> {
    const request = this.pending[pick % Math.max(1, this.pending.length)];
    if (!request) return;
    if (request.deliver) {
      this.pending.splice(this.pending.indexOf(request), 1);
      request.deliver();
    } else {
      request.answer();
    }
    await settle();
  }

  async advanceAll(): Promise<void> {
    await settle();
    while (this.pending.length > 0) await this.advance(0);
  }

  tell(change: (room: LoadedChatroom) => ReturnType<typeof withMessage>, rev: number): void {
    if (this.lost > 0) {
      this.lost -= 1;
      return;
    }
    this.loader.recordRev(ROOM, rev);
    const { room } = this;
    if (!room) return;
    const next = change(room);
    this.stores.rooms.getState().update(ROOM, () => next.room);
    releaseMessages(this.stores, ROOM);
    if (next.hasGap) this.loader.requestResync(ROOM);
  }

  /** Lets the user read at a place of what is shown. */
  read(at: number): void {
    const { view } = this.stores;
    const messages = this.room ? shownPart(this.room).messages : [];
    const message = messages[Math.floor(at * messages.length)];
    const isAtBottom = !this.room?.detached && message === messages.at(-1);
    view.getState().setView(ROOM, isAtBottom);
    const position = message && { key: message._id, seq: message.seq, offset: 0 };
    view.getState().setFinder(() => (isAtBottom ? undefined : position));
  }

  leave(): void {
    const { view, readingPositions, rooms } = this.stores;
    const position = view.getState().findPosition?.();
    readingPositions.getState().setPosition(ROOM, position);
    view.getState().setView(undefined, false);
    this.jumps.cancelJump(ROOM);
    rooms.getState().update(ROOM, (room) => withOnlyNear(room, position?.seq));
  }

  open(): void {
    this.stores.view.getState().setView(ROOM, false);
    void this.loader.open(ROOM);
  }
}

/** Runs what waits for no request. Needs fake timers. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 12; i += 1) await Promise.resolve();
  vi.advanceTimersByTime(0);
}
