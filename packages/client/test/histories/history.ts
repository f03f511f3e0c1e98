import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chatroom, Message } from '@parley/contract';
import type { TestServer, TestUser } from '@parley/server/test-server';
import { makeWav, wavBytes } from '@parley/testing';
import { selectUnsentFiles, type MediaKind, type OutboxEntry } from '../../src/index.ts';
import { selectFirstMessage } from '../../src/outbox/outbox-entry.ts';
import { Browser } from './browser.ts';
import { findDifferences } from './find-differences.ts';
import { Ledger } from './ledger.ts';
import type { Plan, Step } from './steps.ts';
import { Tab } from './tab.ts';

/** The server that histories share. A history may replace it with a restarted one. */
export interface Site {
  server: TestServer;
}

/** An action that changes what a chat is to a user. */
type StatusAction = 'accept' | 'decline' | 'block' | 'unblock';

/** What is known about the blocks of a user. */
interface Block {
  /** Number of messages written before the current block, if it is certain. */
  since?: number;
  /** Number of unblocking requests without a response. */
  pending: number;
  /** Number of unblocking requests. */
  unblocks: number;
  /** Whether no unblocking request was abandoned. */
  isKnown: boolean;
}

/** An image of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SOUND = makeWav(wavBytes(0.1));
const SOUND_INFO = { duration: 100, peaks: [0, 50, 100] };

/** Milliseconds after which a wait fails. No other outcome depends on it. */
const TIMEOUT_MS = 60_000;
/** Number of comparisons before clients and server count as different. All are idle before each. */
const COMPARISONS = 6;

/** A random history of two users with tabs and one user without, and the check of its outcome. */
export class History {
  readonly #site: Site;
  readonly #plan: Plan;
  readonly #ledger = new Ledger();
  readonly #users: TestUser[] = [];
  readonly #tabs: Tab[] = [];
  /** Networks of earlier loads, whose requests may still be pending. */
  readonly #networks = new Set<Tab['network']>();
  readonly #problems: string[] = [];
  /** What is known about the blocks of each user, by name. */
  readonly #blocks = new Map<string, Block>();
  /** The chatroom of the two users, once a tab knows it. */
  #chatroomId: string | undefined;
  #otherUser: TestUser | undefined;
  #otherChatroomId = '';

  constructor(site: Site, plan: Plan) {
    this.#site = site;
    this.#plan = plan;
  }

  /** Runs the history. Rejects with the differences between the tabs and the server at the end. */
  async run(): Promise<void> {
    try {
      await this.#begin();
      for (const step of this.#plan.steps) {
        await this.#take(step);
        // Lets the step begin before the next one.
        await sleep(0);
      }
      await this.#settle();
      await this.#check(0);
      await this.#openFreshTabs();
      await this.#check(this.#tabs.length - this.#users.length);
    } finally {
      for (const tab of this.#tabs) tab.close();
    }
  }

  async #begin(): Promise<void> {
    const { hasChatroom, isAccepted, second } = this.#plan;
    const mark = randomBytes(5).toString('hex');
    const { server } = this.#site;
    const [ada, bob, other] = await Promise.all(
      ['A', 'B', 'C'].map((name) => server.signIn(`${name}-${mark}`)),
    );
    if (!ada || !bob || !other) throw new Error('no users');
    this.#users.push(ada, bob);
    this.#otherUser = other;
    this.#otherChatroomId = await createRoom(other, ada, 'from another user');
    if (hasChatroom) {
      const content = this.#ledger.write(ada.username, 'first');
      this.#chatroomId = await createRoom(ada, bob, content);
      if (isAccepted) {
        await bob.request('POST', `/api/chatrooms/chats/${this.#chatroomId}/accept`);
      }
    }
    const browser = new Browser();
    this.#addTab(ada, bob, browser);
    this.#addTab(bob, ada, new Browser());
    if (second !== 'none') this.#addTab(ada, bob, second === 'tab' ? browser : new Browser());
    await this.#openChatrooms();
  }

  #addTab(user: TestUser, partner: TestUser, browser: Browser): void {
    this.#tabs.push(
      new Tab({
        // Avoids a name lookup for each connection.
        origin: this.#site.server.url.replace('localhost', '127.0.0.1'),
        user,
        partnerName: partner.username,
        browser,
        keptEvents: this.#plan.healedBy === 'event' ? ['chat-read', 'chat-status'] : [],
        onLost: (entry) => this.#setUncertain(entry),
        onProblem: (problem) => this.#problems.push(`${user.username}: ${problem}`),
      }),
    );
  }

  async #openChatrooms(): Promise<void> {
    await this.#untilLive();
    for (const tab of this.#tabs) if (tab.chatroomId !== undefined) tab.open(tab.chatroomId);
    await this.#untilIdle();
  }

  /** Opens an empty browser for each user. */
  async #openFreshTabs(): Promise<void> {
    const [ada, bob] = this.#users;
    if (!ada || !bob) return;
    this.#addTab(ada, bob, new Browser());
    this.#addTab(bob, ada, new Browser());
    await this.#openChatrooms();
  }

  async #take(step: Step): Promise<void> {
    if (step.do === 'pause') return this.#untilIdle();
    if (step.do === 'restart') {
      this.#site.server = await this.#site.server.restart();
      return;
    }
    if (step.do === 'other-user-sends') {
      return this.#sendAsOtherUser();
    }
    if (step.do === 'sweep-uploads') return this.#site.server.sweepUploads(this.#users);
    const tab = this.#tabs[step.tab % this.#tabs.length] as Tab;
    switch (step.do) {
      case 'send':
        return this.#send(tab);
      case 'create':
        return this.#create(tab);
      case 'edit':
        return this.#change(tab, step.pick, true);
      case 'delete':
        return this.#change(tab, step.pick, false);
      case 'discard':
        return this.#discard(tab, step.pick);
      case 'react':
        return this.#react(tab, step.pick, step.emoji, step.isOn);
      case 'read':
        return tab.read();
      case 'open': {
        const chatroomId = this.#findChatroomId(tab);
        if (chatroomId !== undefined) tab.open(chatroomId);
        return;
      }
      case 'leave':
        if (tab.chatroomId !== undefined) tab.leave(tab.chatroomId);
        return;
      case 'send-file':
        return this.#sendFile(tab, step.kind);
      case 'draft':
        return this.#draft(tab);
      case 'accept':
      case 'decline':
      case 'block':
      case 'unblock':
        return this.#changeStatus(tab, step.do);
      case 'storage-faults':
        return tab.browser.failStorage(step.count);
      case 'reload-list':
        return tab.client?.reloadChats();
      case 'request-faults':
        return void tab.network.requestFaults.push(...step.faults);
      case 'event-faults':
        return void tab.network.eventFaults.push(...step.faults);
      case 'release':
        return tab.network.release();
      case 'cut':
        return tab.network.cut();
      case 'restore':
        return tab.network.restore();
      case 'renew-connection':
        return tab.client?.renewConnection();
      case 'reload':
        if (tab.client) this.#load(tab);
        return;
      case 'expire':
        return this.#site.server.expireSessions(tab.user);
      case 'sign-in':
        if (!tab.client) await this.#signIn(tab);
    }
  }

  async #sendAsOtherUser(): Promise<void> {
    const body = { chatroom: this.#otherChatroomId, content: 'again' };
    await this.#otherUser?.request('POST', '/api/messages/send', body);
  }

  #load(tab: Tab): void {
    this.#networks.add(tab.network);
    tab.load();
  }

  async #signIn(tab: Tab): Promise<void> {
    await this.#site.server.renewSession(tab.user);
    this.#load(tab);
  }

  #send(tab: Tab): void {
    const { client, chatroomId } = tab;
    if (!client || chatroomId === undefined) return;
    client.send(chatroomId, this.#ledger.write(client.username, 'text', tab.page));
  }

  #sendFile(tab: Tab, kind: MediaKind): void {
    const { client, chatroomId } = tab;
    if (!client || chatroomId === undefined) return;
    const name = this.#ledger.write(client.username, kind, tab.page);
    const [bytes, media] = kind === 'image' ? [PIXEL, undefined] : [SOUND, SOUND_INFO];
    client.addMedia(kind, chatroomId, new Blob([bytes]), name, media);
    const added = selectUnsentFiles(client.outbox.getState().entries, kind, chatroomId).at(-1);
    if (added) this.#ledger.nameFile(name, added.clientId);
    client.sendMedia(kind, chatroomId);
  }

  #draft({ client, chatroomId, browser }: Tab): void {
    if (!client || chatroomId === undefined) return;
    client.drafts.getState().setDraft(chatroomId, this.#ledger.draft(browser));
  }

  /** Returns the chatroom of the two users, even if the tab does not list it. */
  #findChatroomId(tab: Tab): string | undefined {
    this.#chatroomId = tab.chatroomId ?? this.#chatroomId;
    return this.#chatroomId;
  }

  async #changeStatus(tab: Tab, action: StatusAction): Promise<void> {
    const { client, user } = tab;
    const chatroomId = this.#findChatroomId(tab);
    if (!client || chatroomId === undefined) return;
    const { username } = user;
    const block = this.#blocks.get(username) ?? { pending: 0, unblocks: 0, isKnown: true };
    this.#blocks.set(username, block);
    if (action === 'block' || action === 'decline') {
      this.#ledger.hide(username, await this.#readMessages(user));
    }
    if (action === 'unblock') {
      await this.#recordWithheld(user);
      block.pending += 1;
      block.unblocks += 1;
    }
    void this.#recordOutcome(client[action](chatroomId), action, block);
  }

  async #recordOutcome(outcome: Promise<void>, action: StatusAction, block: Block): Promise<void> {
    const { unblocks } = block;
    try {
      await outcome;
    } catch {
      // The server may still carry out a request that the client has abandoned.
      if (action === 'unblock') block.isKnown = false;
      return;
    }
    if (action === 'unblock') block.pending -= 1;
    const isBlocked = block.pending === 0 && block.unblocks === unblocks && block.isKnown;
    if (action === 'block' && isBlocked) block.since ??= this.#ledger.count;
  }

  /** Records what the partner has sent to a user since the user's block. */
  async #recordWithheld(user: TestUser): Promise<void> {
    const block = this.#blocks.get(user.username);
    const partner = this.#users.find((each) => each !== user);
    if (block?.since === undefined || !partner) return;
    const since = block.since;
    delete block.since;
    this.#ledger.withhold(user.username, since, await this.#readMessages(partner));
  }

  /** Returns the messages that a user has on the server. */
  async #readMessages(user: TestUser): Promise<readonly Message[]> {
    const path = `/api/chatrooms/chats/${this.#chatroomId}?limit=200`;
    const { status, body } = await user.request('GET', path);
    return status === 200 ? (body as Chatroom).chatroomMessages : [];
  }

  /** Sends failed messages that became drafts again. */
  #sendDrafts({ client, chatroomId, partnerName, blocked }: Tab): void {
    const entries = client?.outbox.getState().entries ?? [];
    const first = selectFirstMessage(entries, partnerName);
    if (first?.state === 'draft' && blocked.has(first.clientId)) {
      this.#setUncertain(first);
      client?.discard(first.clientId);
    } else if (first?.state === 'draft') {
      client?.sendFirstMessage(partnerName, first.content);
    }
    for (const kind of ['image', 'audio'] as const) {
      if (chatroomId === undefined) continue;
      const files = selectUnsentFiles(entries, kind, chatroomId);
      if (files.some(({ state }) => state === 'draft')) client?.sendMedia(kind, chatroomId);
    }
  }

  /** Records that an outbox entry may be lost. */
  #setUncertain({ clientId, content, file }: OutboxEntry): void {
    this.#ledger.setUncertain({ clientId, content: file?.name ?? content });
  }

  #create(tab: Tab): void {
    const { client, partnerName } = tab;
    if (!client) return;
    const draft = selectFirstMessage(client.outbox.getState().entries, partnerName);
    if (draft?.state === 'draft') client.sendFirstMessage(partnerName, draft.content);
    else client.sendFirstMessage(partnerName, this.#ledger.write(client.username, 'first'));
  }

  #change(tab: Tab, pick: number, isEdit: boolean): void {
    const { client, room } = tab;
    if (!client || !room) return;
    const own = room.messages.filter(({ sender }) => sender.username === client.username);
    const message = own[pick % own.length];
    if (!message) return;
    const { network } = tab;
    if (isEdit && message.kind !== 'text') return;
    const { content, attempt } = isEdit
      ? this.#ledger.edit(message)
      : { content: '', attempt: this.#ledger.delete(message) };
    const outcome = isEdit ? client.edit(message, content) : client.remove(message);
    outcome.then(
      () => this.#ledger.end(attempt, true),
      () => {
        // The server may still carry out a request that the client has abandoned.
        if (tab.network === network && network.isUp) this.#ledger.end(attempt, false);
      },
    );
  }

  #react(tab: Tab, pick: number, emoji: string, isOn: boolean): void {
    const { client, room } = tab;
    const message = room?.messages[pick % room.messages.length];
    if (!client || !room || !message) return;
    const reaction = { username: client.username, messageId: message._id, emoji };
    // The server refuses reactions to requests.
    this.#ledger.react({ ...reaction, isOn, page: room.isRequest ? undefined : tab.page });
    client.react(message, emoji, isOn);
  }

  #discard(tab: Tab, pick: number): void {
    const entries = tab.client?.outbox.getState().entries ?? [];
    const entry = entries[pick % entries.length];
    if (!entry) return;
    this.#setUncertain(entry);
    tab.client?.discard(entry.clientId);
  }

  /** Ends all faults and waits until everything is sent. */
  async #settle(): Promise<void> {
    for (const tab of this.#tabs) {
      tab.network.heal();
      tab.browser.repairStorage();
    }
    await this.#untilLive();
    if (this.#plan.healedBy === 'reconnect') {
      for (const tab of this.#tabs) tab.client?.renewConnection();
    } else {
      await this.#untilIdle();
      for (const tab of this.#tabs.slice(0, 2)) this.#send(tab);
      await this.#sendAsOtherUser();
      // No other event reveals what the devices of a user missed in a hidden chatroom.
      for (const { client, user } of this.#tabs) {
        if (this.#ledger.hasHidden(user.username)) client?.renewConnection();
      }
    }
    await this.#untilLive();
    // Retries loading chatrooms that failed to load, as a user would.
    for (const tab of this.#tabs) if (tab.openedId !== undefined) tab.open(tab.openedId);
    await this.#untilSent();
    // Entries that a page failed to read are sent after its next load.
    const failed = this.#tabs.filter(({ browser }) => browser.hasFailed);
    if (failed.length === 0) return;
    for (const tab of failed) this.#load(tab);
    await this.#untilLive();
    await this.#untilSent();
  }

  async #untilSent(): Promise<void> {
    await this.#until('all messages are sent', () => {
      for (const tab of this.#tabs) this.#sendDrafts(tab);
      return this.#tabs.every(
        ({ client }) =>
          client?.outbox.getState().entries.length === 0 &&
          client.intents.getState().intents.length === 0,
      );
    });
  }

  /** Signs in tabs whose session has ended, and waits until all tabs are connected. */
  async #untilLive(): Promise<void> {
    await this.#until('all tabs are connected', async () => {
      for (const tab of this.#tabs) if (!tab.client) await this.#signIn(tab);
      return this.#tabs.every(({ client }) => client?.connection.getState().status === 'online');
    });
  }

  /** Waits until no requests are pending. */
  async #untilIdle(): Promise<void> {
    for (let turns = 0; turns < 4; turns += 1) {
      await sleep(2);
      if (!this.#isIdle()) turns = -1;
    }
  }

  #isIdle(): boolean {
    return [...this.#networks, ...this.#tabs.map(({ network }) => network)].every(
      ({ isIdle }) => isIdle,
    );
  }

  /** Waits until every tab has received all events that were sent before. */
  async #drainEvents(): Promise<void> {
    const expected = this.#tabs.map(({ markers }) => markers + 1);
    for (const { id: userId } of this.#users) {
      this.#site.server.ctx.events.publish({
        type: 'settings-changed',
        userId,
        settings: { volume: 'full' },
      });
    }
    await this.#until('all events have arrived', () =>
      this.#tabs.every(({ markers }, i) => markers >= (expected[i] ?? 0)),
    );
  }

  async #until(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = Date.now() + TIMEOUT_MS;
    while (!(await check())) {
      if (Date.now() > deadline)
        throw new Error(`timed out waiting until ${what}: ${this.#describe()}`);
      await sleep(2);
    }
  }

  #describe(): string {
    return JSON.stringify(
      this.#tabs.map(({ client }) => [
        client?.connection.getState().status,
        client?.outbox.getState().entries,
        client?.intents.getState().intents,
      ]),
    );
  }

  /** Compares the tabs with the server until they agree or all comparisons are used up. */
  async #check(from: number): Promise<void> {
    for (const user of this.#users) await this.#recordWithheld(user);
    for (const tab of this.#tabs) this.#findChatroomId(tab);
    const [ada] = this.#users;
    let problems: string[] = [];
    for (let comparisons = 0; comparisons < COMPARISONS; comparisons += 1) {
      await this.#untilIdle();
      await this.#drainEvents();
      await this.#untilIdle();
      problems = await findDifferences(
        {
          users: this.#users,
          tabs: this.#tabs,
          ledger: this.#ledger,
          chatroomId: this.#chatroomId,
          withDevices: this.#plan.second === 'device' ? ada?.username : undefined,
        },
        from,
      );
      if (problems.length === 0) break;
    }
    problems.push(...this.#problems);
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }
}

async function createRoom(user: TestUser, partner: TestUser, content: string): Promise<string> {
  const body = { partnerName: partner.username, content };
  const response = await user.request('POST', '/api/chatrooms/create', body);
  return (response.body as { chatroomId: string }).chatroomId;
}
