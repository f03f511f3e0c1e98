import { randomBytes } from 'node:crypto';
import type { Chatroom, Message } from '@parley/contract';
import type { TestServer, TestUser } from '@parley/server/test-server';
import type { OutboxEntry } from '../../../src/index.ts';
import { Blocks } from '../model/blocks.ts';
import { Ledger, type Lane } from '../model/ledger.ts';
import { PartnerFacts } from '../model/partner-facts.ts';
import { WantedSettings } from '../model/wanted-settings.ts';
import type { Plan } from '../steps.ts';
import { Browser } from './browser.ts';
import { Tab } from './tab.ts';

/** The server that histories share. A history may replace it with a restarted one. */
export interface Site {
  server: TestServer;
  /** Another server on the same database, which every second tab uses. */
  readonly second?: TestServer;
}

/** Live events that no later event replaces. */
const EVENTS_WITHOUT_SUCCESSOR = ['chat', 'presence', 'settings'];

/** The participants of a history, and the model: a record of what they did. */
export class HistoryWorld {
  readonly site: Site;
  readonly plan: Plan;
  readonly ledger = new Ledger();
  readonly facts = new PartnerFacts();
  readonly settings = new WantedSettings();
  readonly blocks = new Blocks();
  /** The two users with tabs. */
  readonly users: TestUser[] = [];
  readonly tabs: Tab[] = [];
  /** Violations of guarantees that hold at any time. */
  readonly problems = new Set<string>();
  /** The chatroom of the two users, once a tab knows it. */
  chatroomId: string | undefined;
  /** A user without tabs, who chats with the first user. */
  otherUser: TestUser | undefined;
  otherChatroomId = '';
  /** Networks of earlier loads, whose requests may still be pending. */
  readonly #networks = new Set<Tab['network']>();

  constructor(site: Site, plan: Plan) {
    this.site = site;
    this.plan = plan;
  }

  /** Creates the users, their chatrooms and tabs. */
  async begin(): Promise<void> {
    const { hasChatroom, isAccepted, areRequestsQuiet, second } = this.plan;
    const mark = randomBytes(5).toString('hex');
    const [ada, bob, other] = await Promise.all(
      ['A', 'B', 'C'].map((name) => this.site.server.signIn(`${name}-${mark}`)),
    );
    if (!ada || !bob || !other) throw new Error('no users');
    this.users.push(ada, bob);
    this.otherUser = other;
    if (areRequestsQuiet) {
      await bob.request('PATCH', '/api/users/settings', { whoMayWrite: 'requests' });
    }
    this.otherChatroomId = await beginChat(other, ada, 'from another user');
    if (hasChatroom) {
      const content = this.ledger.write(ada.username, 'first');
      this.facts.consent(ada.username);
      this.chatroomId = await beginChat(ada, bob, content);
      if (isAccepted) {
        await bob.request('POST', `/api/chatrooms/chats/${this.chatroomId}/accept`);
        this.facts.consent(bob.username);
      }
    }
    const browser = new Browser();
    this.#addTab(ada, bob, browser);
    this.#addTab(bob, ada, new Browser());
    if (second !== 'none') this.#addTab(ada, bob, second === 'tab' ? browser : new Browser());
  }

  /** Adds a tab in an empty browser for each user. */
  addFreshTabs(): void {
    const [ada, bob] = this.users;
    if (!ada || !bob) return;
    this.#addTab(ada, bob, new Browser());
    this.#addTab(bob, ada, new Browser());
  }

  #addTab(user: TestUser, partner: TestUser, browser: Browser): void {
    const { server, second = server } = this.site;
    const { url } = this.tabs.length % 2 === 0 ? server : second;
    this.tabs.push(
      new Tab({
        // Avoids a name lookup for each connection.
        origin: url.replace('localhost', '127.0.0.1'),
        user,
        partnerName: partner.username,
        browser,
        keptEvents: this.plan.healedBy === 'event' ? EVENTS_WITHOUT_SUCCESSOR : [],
        isActive: this.plan.isActive,
        facts: this.facts,
        mayForgetReceipts: () =>
          this.hasHidden || !this.facts.hasAlwaysShared(user.username, 'sharesReceipts'),
        onLost: (entry) => this.setUncertain(entry),
        onDraft: (text) => this.ledger.returnCaptions(text),
        onProblem: (problem) => this.problems.add(`${user.username}: ${problem}`),
      }),
    );
  }

  close(): void {
    for (const tab of this.tabs) tab.close();
  }

  /** Loads or reloads a tab's page, with or without a connection. */
  load(tab: Tab, isOffline = false): void {
    this.#networks.add(tab.network);
    tab.load(isOffline);
  }

  async signIn(tab: Tab): Promise<void> {
    await this.site.server.renewSession(tab.user);
    this.load(tab);
  }

  /** Whether no requests are pending, except held ones. */
  get isIdle(): boolean {
    return [...this.#networks, ...this.tabs.map(({ network }) => network)].every(
      ({ isIdle }) => isIdle,
    );
  }

  /** Whether any user has ever declined or blocked the chat. */
  get hasHidden(): boolean {
    return this.users.some(({ username }) => this.ledger.hasHidden(username));
  }

  /** Returns the chatroom of the two users, even if the tab does not list it. */
  findChatroomId(tab: Tab): string | undefined {
    this.chatroomId = tab.chatroomId ?? this.chatroomId;
    return this.chatroomId;
  }

  /** Returns the messages that a user has on the server. */
  async readMessages(user: TestUser): Promise<readonly Message[]> {
    const path = `/api/chatrooms/chats/${this.chatroomId}?limit=200`;
    const { status, body } = await user.request('GET', path);
    return status === 200 ? (body as Chatroom).chatroomMessages : [];
  }

  async sendAsOtherUser(): Promise<void> {
    const body = { chatroom: this.otherChatroomId, content: 'again' };
    await this.otherUser?.request('POST', '/api/messages/send', body);
  }

  /** Records a message to send, and returns its text. Sending one accepts the chat. */
  write({ user, page }: Tab, lane: Lane): string {
    this.facts.consent(user.username);
    return this.ledger.write(user.username, lane, page);
  }

  /** Records that an outbox entry may be lost. */
  setUncertain({ clientId, content, file }: OutboxEntry): void {
    this.ledger.setUncertain({ clientId, content: file?.name ?? content });
  }

  /** Records what the partner has sent to a user since the user's block. */
  async recordWithheld(user: TestUser): Promise<void> {
    const since = this.blocks.sinceOf(user.username);
    const partner = this.users.find((each) => each !== user);
    if (since === undefined || !partner) return;
    this.blocks.end(user.username);
    this.ledger.withhold(user.username, since, await this.readMessages(partner));
  }
}

async function beginChat(user: TestUser, partner: TestUser, content: string): Promise<string> {
  const body = { partnerName: partner.username, content };
  const response = await user.request('POST', '/api/chatrooms/create', body);
  return (response.body as { chatroomId: string }).chatroomId;
}
