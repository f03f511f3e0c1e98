import {
  endpoints,
  type DeliveredBody,
  type Message,
  type SessionEndReason,
} from '@parley/contract';
import { findEventProblem } from '@parley/server/test-event-problem';
import type { TestUser } from '@parley/server/test-server';
import {
  createApiClient,
  createClient,
  createHeadlessPlatform,
  findLoadedChatroom,
  type Client,
  type OutboxEntry,
  type QuoteReference,
  type LoadedChatroom,
} from '../../../src/index.ts';
import { openSocket } from '../../../src/sync/socket.ts';
import type { ClientTiming } from '../../../src/timing.ts';
import type { Browser, Page } from './browser.ts';
import { Network, type NetworkObserver } from './network.ts';
import type { PartnerFacts } from '../model/partner-facts.ts';
import { watchPartner } from '../checks/watch-partner.ts';
import { watchChatrooms } from '../checks/watch-chatrooms.ts';

/** The newest message of each chatroom that has reached a load of a page. */
type ReceivedSeqs = Map<string, number>;

function receive(received: ReceivedSeqs, chatroomId: string, seq = 0): void {
  received.set(chatroomId, Math.max(seq, received.get(chatroomId) ?? 0));
}

/** Short delays in milliseconds, so that retries take little time. */
export const TIMING: ClientTiming = {
  sendRetryMin: 1,
  sendRetryMax: 4,
  resyncRetryMin: 2,
  resyncRetryMax: 4,
  chatListThrottle: 1,
  deliveryGather: 1,
  typingInterval: 1,
  typingShown: 20,
  eventWait: 5,
  copyWriteThrottle: 1,
  searchDebounce: 1,
  pollMin: 60_000,
  pollMax: 60_000,
  prefetchDelay: 1,
  reconnectMin: 1,
  reconnectMax: 4,
};

interface TabOptions {
  readonly origin: string;
  readonly user: TestUser;
  readonly partnerName: string;
  readonly browser: Browser;
  /** Whether the device is in use at first. */
  readonly isActive: boolean;
  readonly facts: PartnerFacts;
  /** Returns whether the user may have lost what the partner told. */
  readonly mayForgetReceipts: () => boolean;
  /** Live events that are never lost. */
  readonly keptEvents: readonly string[];
  /** Called with each entry that is lost when its page closes because the storage failed. */
  readonly onLost: (entry: OutboxEntry) => void;
  /** Called with each text of a draft. */
  readonly onDraft: (text: string) => void;
  /** Called with each violation of a tab's guarantees. */
  readonly onProblem: (problem: string) => void;
}

/** A tab of a user's browser: a client and its network, from one load of the page to the next. */
export class Tab {
  readonly user: TestUser;
  network: Network;
  /** Undefined while the tab is signed out. */
  client: Client | undefined;
  /** Id of the chatroom on the screen. */
  openedId: string | undefined;
  /** The user's read position in this load of the page. */
  readSeq = 0;
  /** The contents of all messages that this tab has ever shown. */
  readonly shown = new Set<string>();
  /** First messages that were refused because the user blocks the partner. */
  readonly blocked = new Set<string>();
  /** Markers that arrived over the live connection; see `drainEvents`. */
  markers = 0;
  /** Whether the device is in use. */
  isActive: boolean;
  /** References to all messages that this tab has ever shown in a chatroom, by id. */
  readonly known = new Map<string, QuoteReference>();
  /** The types of changes that were refused since the last one was made. */
  readonly #refused = new Set<string>();
  readonly #useListeners = new Set<(isActive: boolean) => void>();
  readonly #options: TabOptions;
  #page: Page;

  constructor(options: TabOptions) {
    this.#options = options;
    this.user = options.user;
    this.isActive = options.isActive;
    this.network = new Network(options.user, options.keptEvents, this.#observe(new Map()));
    this.#page = options.browser.loadPage();
    this.load();
  }

  /** Loads or reloads the page, with or without a connection. */
  load(isOffline = false): void {
    this.close();
    const { origin, user, browser, keptEvents, onProblem, onDraft } = this.#options;
    const received: ReceivedSeqs = new Map();
    const network = new Network(user, keptEvents, this.#observe(received));
    if (isOffline) network.cut();
    this.network = network;
    this.#page = browser.loadPage();
    this.readSeq = 0;
    const signOut = (reason: SessionEndReason): void => {
      // As in the app, the client finishes its current task first.
      queueMicrotask(() => {
        if (this.network === network) this.close(reason);
      });
    };
    const client = createClient({
      api: createApiClient({
        origin,
        fetch: network.fetch,
        onUnauthenticated: signOut,
        retryDelay: 1,
      }),
      username: user.username,
      platform: createHeadlessPlatform(
        { fetch: network.fetch, headers: () => ({ cookie: user.cookie }) },
        { ...this.#page.platform, watchUse: (listener) => this.#watchUse(listener) },
      ),
      events: {
        onSessionEnded: signOut,
        onSettings: (changed) => {
          if ('volume' in changed && !('language' in changed)) this.markers += 1;
        },
        onIncoming: ({ content }) => this.shown.add(content),
        onChangeFailed: (_error, type) => this.#refused.add(type),
        onSendRefused: ({ clientId, content, file, to, failReason }, { code }) => {
          if (failReason) return;
          if (to.partnerName !== undefined && code === 'partner_blocked')
            this.blocked.add(clientId);
          // A failed file or first message becomes a draft again, which the user may send again.
          const isDraft = file !== undefined || to.chatroomId === undefined;
          if (!isDraft) onProblem(`"${content}" was refused: ${code}`);
        },
      },
      timing: TIMING,
      openSocket: (...args) => network.attach(openSocket(...args)),
    });
    watchChatrooms(client, this.shown, onProblem);
    watchPartner({ ...this.#options, client });
    client.chats.subscribe(({ chats, isFromCopy }) => {
      for (const { id, last } of chats) {
        if (last) this.shown.add(last.content);
        if (!isFromCopy) receive(received, id, last?.seq);
      }
      if (isFromCopy) return;
      // The list that has arrived may end with a message whose deletion waits, which is not shown.
      for (const { key, chatroomId, value } of client.outbox.getState().changes) {
        const isDeletion = key.startsWith('deletion:');
        if (isDeletion) receive(received, chatroomId, (value as { seq: number }).seq);
      }
    });
    client.rooms.subscribe(() => {
      for (const { _id, seq } of this.room?.messages ?? [])
        this.known.set(_id, { messageId: _id, seq });
    });
    client.drafts.subscribe(({ drafts }) =>
      Object.values(drafts).forEach(({ text }) => onDraft(text)),
    );
    this.client = client;
    if (this.openedId !== undefined) this.open(this.openedId);
  }

  /** Closes the page. With `ended`, only signs out, because the session has ended. */
  close(ended?: SessionEndReason): void {
    this.network.close();
    if (!this.client) return;
    for (const entry of this.client.outbox.getState().entries) {
      if (!this.#page.isStored(entry.clientId)) this.#options.onLost(entry);
    }
    this.client.dispose({ ended });
    this.client = undefined;
  }

  open(chatroomId: string): void {
    this.openedId = chatroomId;
    this.client?.view.getState().setView(chatroomId, true);
    void this.client?.open(chatroomId);
  }

  leave(chatroomId: string): void {
    this.openedId = undefined;
    this.client?.view.getState().setView(undefined, false);
    this.client?.leave(chatroomId);
  }

  /** Puts the device to use, or away. */
  use(isActive: boolean): void {
    this.isActive = isActive;
    if (isActive) this.#options.facts.activate(this.user.username);
    for (const listener of this.#useListeners) listener(isActive);
  }

  #watchUse(listener: (isActive: boolean) => void): () => void {
    this.#useListeners.add(listener);
    this.use(this.isActive);
    return () => {
      this.#useListeners.delete(listener);
    };
  }

  #observe(received: ReceivedSeqs): NetworkObserver {
    return {
      onRequest: (path, body) => this.#recordReport(path, body, received),
      onEvent: (name, [event]) => {
        const problem = findEventProblem(name, event);
        if (problem !== undefined) this.#options.onProblem(problem);
        if (name !== 'message') return;
        const { chatroom, seq } = event as Message;
        receive(received, chatroom, seq);
      },
    };
  }

  /** Records the positions that this device reports, which must not be ahead of what it has. */
  #recordReport(path: string, body: unknown, received: ReceivedSeqs): void {
    const { facts, user, onProblem } = this.#options;
    if (path === endpoints.reportDelivered.path) {
      const { rooms } = body as DeliveredBody;
      for (const [chatroomId, seq] of Object.entries(rooms)) {
        if (seq > (received.get(chatroomId) ?? 0)) {
          onProblem(`${seq} was reported as delivered before it arrived`);
        }
        facts.acknowledge(user.username, chatroomId, { deliveredSeq: seq });
      }
    }
    const [, chatroomId] = /^\/api\/chatrooms\/chats\/([^/]+)\/mark-as-read$/.exec(path) ?? [];
    if (chatroomId === undefined) return;
    const { seq: readSeq } = body as { seq: number };
    facts.acknowledge(user.username, chatroomId, { readSeq });
  }

  get browser(): Browser {
    return this.#options.browser;
  }

  /** This load of the page. */
  get page(): object {
    return this.#page;
  }

  get partnerName(): string {
    return this.#options.partnerName;
  }

  read(): void {
    const { room } = this;
    if (!room) return;
    this.readSeq = Math.max(this.readSeq, room.messages.at(-1)?.seq ?? 0);
    this.client?.markRead(room.id);
  }

  /** Resolves once a decision about the partner that was just made is sent, to whether it certainly was. */
  async outcomeOfDecision(chatroomId: string): Promise<boolean> {
    const { client } = this;
    const key = `status:${chatroomId}`;
    const find = () => client?.outbox.getState().changes.find((change) => change.key === key);
    const made = find();
    if (!client || !made) return false;
    this.#refused.delete('status');
    while (find()?.order === made.order && !client.signal.aborted) {
      await new Promise<void>((resolve) => {
        const stop = client.outbox.subscribe(() => {
          stop();
          resolve();
        });
        client.signal.addEventListener('abort', () => resolve());
      });
    }
    return !client.signal.aborted && find() === undefined && !this.#refused.has('status');
  }

  /** Id of the chatroom with the partner, if this tab knows it. */
  get chatroomId(): string | undefined {
    const chats = this.client?.chats.getState().chats ?? [];
    return chats.find(({ names }) => names.includes(this.partnerName))?.id;
  }

  /** The chatroom with the partner, if it is loaded. */
  get room(): LoadedChatroom | undefined {
    const { client, chatroomId } = this;
    if (!client || chatroomId === undefined) return undefined;
    return findLoadedChatroom(client.rooms.getState(), chatroomId);
  }
}
