import type { SessionEndReason } from '@parley/contract';
import type { TestUser } from '@parley/server/test-server';
import {
  createApiClient,
  createClient,
  createHeadlessPlatform,
  findLoadedRoom,
  type Client,
  type OutboxEntry,
  type Room,
} from '../../src/index.ts';
import { openSocket } from '../../src/sync/socket.ts';
import type { ClientTiming } from '../../src/timing.ts';
import type { Browser, Page } from './browser.ts';
import { Network } from './network.ts';
import { watchRooms } from './watch-rooms.ts';

/** Short delays in milliseconds, so that retries take little time. */
const TIMING: ClientTiming = {
  sendRetryMin: 1,
  sendRetryMax: 4,
  resyncRetryMin: 2,
  resyncRetryMax: 4,
  chatListThrottle: 1,
  deliveryGather: 1,
  copyWriteThrottle: 1,
  reconnectMin: 1,
  reconnectMax: 4,
};

interface TabOptions {
  readonly origin: string;
  readonly user: TestUser;
  readonly partnerName: string;
  readonly browser: Browser;
  /** Live events that are never lost. */
  readonly keptEvents: readonly string[];
  /** Called with each entry that is lost when its page closes because the storage failed. */
  readonly onLost: (entry: OutboxEntry) => void;
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
  /** Markers that arrived over the live connection; see `History`. */
  markers = 0;
  readonly #options: TabOptions;
  #page: Page;

  constructor(options: TabOptions) {
    this.#options = options;
    this.user = options.user;
    this.network = new Network(options.user, options.keptEvents);
    this.#page = options.browser.loadPage();
    this.load();
  }

  /** Loads or reloads the page. */
  load(): void {
    this.close();
    const { origin, user, browser, keptEvents, onProblem } = this.#options;
    const network = new Network(user, keptEvents);
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
        this.#page.platform,
      ),
      events: {
        onSessionEnded: signOut,
        onSettings: (changed) => {
          if (!('language' in changed)) this.markers += 1;
        },
        onIncoming: ({ content }) => this.shown.add(content),
        onSendRefused: ({ clientId, content, file, to }, { code }) => {
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
    watchRooms(client, this.shown, onProblem);
    client.chats.subscribe(({ chats }) => {
      for (const { last } of chats) if (last) this.shown.add(last.content);
    });
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
    void this.client?.markRead(room.id);
  }

  /** Id of the chatroom with the partner, if this tab knows it. */
  get chatroomId(): string | undefined {
    const chats = this.client?.chats.getState().chats ?? [];
    return chats.find(({ names }) => names.includes(this.partnerName))?.id;
  }

  /** The chatroom with the partner, if it is loaded. */
  get room(): Room | undefined {
    const { client, chatroomId } = this;
    if (!client || chatroomId === undefined) return undefined;
    return findLoadedRoom(client.rooms.getState(), chatroomId);
  }
}
