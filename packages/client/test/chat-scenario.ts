import {
  cutExcerpt,
  LIMITS,
  type ChatSettings,
  type ChatState,
  type ChatStatus,
  type LastReaction,
  type Message,
} from '@parley/contract';
import { createChatState } from './create-chat-state.ts';

/** What happens in a chat of Ada and Bob. Numbers choose a message or a value. */
export interface ScenarioStep {
  readonly kind: (typeof SCENARIO_KINDS)[number];
  readonly pick: number;
}

/** What may happen in a chat. Ada is the user. */
export const SCENARIO_KINDS = [
  'ada writes',
  'bob writes',
  'edit',
  'delete',
  'ada reacts',
  'bob reacts',
  'bob takes back',
  'read here',
  'read elsewhere',
  'settings',
  'receipt',
  'accept',
  'decline',
  'block',
  'unblock',
  'bob accepts',
  'delete chat',
  'search for bob',
] as const;

/** What the server tells a device of Ada. */
export type ScenarioEvent =
  | { readonly type: 'message' | 'message-update'; readonly message: Message }
  | {
      readonly type: 'reaction';
      readonly rev: number;
      readonly reaction: LastReaction;
      readonly isOn: boolean;
    }
  | { readonly type: 'chat'; readonly state: ChatState }
  /** This device reads up to a position, before the server knows of it. */
  | { readonly type: 'read here'; readonly seq: number };

/** A step that was taken. */
export interface ScenarioOutcome {
  /** What Ada's device is told, in order. Empty if she does not learn of it. */
  readonly events: readonly ScenarioEvent[];
  /** The state of the chat after it. */
  readonly state: ChatState;
}

interface ScenarioMessage extends Message {
  isVisible: boolean;
}

type Take = (pick: number) => readonly ScenarioEvent[] | undefined;

/** A chat on the server, as Ada sees it. */
class ScenarioChat {
  readonly #messages: ScenarioMessage[] = [];
  #rev = 0;
  #memberRev = 0;
  #minutes = 0;
  #status: ChatStatus = 'undecided';
  #isBlocked = false;
  #isSentAsRequest = true;
  #readSeq = 0;
  #clearedSeq = 0;
  #ownClearedSeq = 0;
  #isRemoved = false;
  #receipt = { deliveredSeq: 0, readSeq: 0 };
  #settings: Pick<ChatSettings, 'isPinned' | 'mutedUntil' | 'isMarkedUnread'> = {};
  #archivedSeq: number | undefined;
  /** The newest message of Bob, even if it is deleted. */
  #received: Message | undefined;
  #reaction: (LastReaction & { newestSeq: number }) | undefined;

  readonly #steps: Record<ScenarioStep['kind'], Take> = {
    'ada writes': () => {
      if (this.#isBlocked) return undefined;
      this.#status = 'accepted';
      const { isVisible: _isVisible, ...message } = this.#addMessage('Ada', true);
      if (this.#readSeq === message.seq - 1) this.#readSeq = message.seq;
      const flag = this.#isSentAsRequest && { isSentAsRequest: true };
      return [{ type: 'message', message: { ...message, ...flag } }];
    },
    'bob writes': () => {
      const { isVisible: _isVisible, ...message } = this.#addMessage('Bob', !this.#isBlocked);
      if (this.#isBlocked) return [];
      this.#received = message;
      this.#isSentAsRequest = false;
      if (this.#status === 'none') this.#status = 'request';
      const isRequest = this.#status === 'request' && { isRequest: true };
      const isUndecided = this.#status === 'undecided' && { isUndecided: true };
      return [{ type: 'message', message: { ...message, ...isRequest, ...isUndecided } }];
    },
    edit: (pick) => this.#update(pick, { content: `edited ${this.#rev}` }),
    delete: (pick) => {
      const message = this.#pickVisible(pick);
      if (!message || this.#isBlocked) return undefined;
      message.isVisible = false;
      this.#rev += 1;
      if (this.#reaction?.messageId === message._id) this.#reaction = undefined;
      return this.#tell();
    },
    'ada reacts': (pick) => this.#update(pick, {}),
    'bob reacts': (pick) => {
      const own = this.#visible.filter(({ sender }) => sender.username === 'Ada');
      const message = own[pick % Math.max(1, own.length)];
      const events = message && this.#update(this.#visible.indexOf(message), {});
      if (!message || !events) return undefined;
      this.#reaction = {
        messageId: message._id,
        emoji: pick % 2 === 0 ? '👍' : '🙏',
        content: cutExcerpt(message.content, LIMITS.reactionExcerpt),
        kind: message.kind,
        createdAt: this.#time(),
        newestSeq: this.#messages.length,
      };
      return [...events, this.#toReactionEvent(this.#reaction, true)];
    },
    'bob takes back': () => {
      const reaction = this.#reaction;
      const index = this.#visible.findIndex(({ _id }) => _id === reaction?.messageId);
      const events = index === -1 ? undefined : this.#update(index, {});
      if (!reaction || !events) return undefined;
      this.#reaction = undefined;
      return [...events, this.#toReactionEvent(reaction, false)];
    },
    'read here': (pick) => {
      const seq = this.#advanceRead(pick);
      return seq === undefined ? undefined : [{ type: 'read here', seq }, ...this.#tellMember()];
    },
    'read elsewhere': (pick) =>
      this.#advanceRead(pick) === undefined ? undefined : this.#tellMember(),
    settings: (pick) => {
      if (['none', 'request'].includes(this.#status) || this.#isBlocked) return undefined;
      const { isPinned, mutedUntil, isMarkedUnread } = this.#settings;
      if (pick % 4 === 0) this.#settings = { ...this.#settings, isPinned: !isPinned };
      if (pick % 4 === 1) this.#settings = { ...this.#settings, isMarkedUnread: !isMarkedUnread };
      if (pick % 4 === 2) {
        const minutes = this.#minutes + (pick % 7);
        this.#settings = {
          isPinned: isPinned ?? false,
          isMarkedUnread: isMarkedUnread ?? false,
          ...(mutedUntil === undefined && { mutedUntil: toTime(minutes) }),
        };
      }
      if (pick % 4 === 3) {
        this.#archivedSeq = this.#isArchived ? undefined : this.#messages.length;
      }
      return this.#tellMember();
    },
    receipt: (pick) => {
      if (!this.#isToldReceipts) return undefined;
      const { deliveredSeq, readSeq } = this.#receipt;
      const delivered = Math.max(deliveredSeq, this.#messages.length - (pick % 3));
      this.#receipt = {
        deliveredSeq: delivered,
        readSeq: pick % 2 === 0 ? Math.max(readSeq, delivered - (pick % 4)) : readSeq,
      };
      return this.#tellMember();
    },
    accept: () => {
      if (!this.#isUnaccepted || this.#isBlocked) return undefined;
      this.#status = 'accepted';
      return this.#tellMember();
    },
    decline: () => {
      if (!this.#isUnaccepted || this.#isBlocked) return undefined;
      this.#status = 'none';
      this.#clearedSeq = this.#messages.length;
      this.#settings = {};
      this.#archivedSeq = undefined;
      for (const each of this.#messages) {
        if (each.sender.username === 'Bob') each.isVisible = false;
      }
      return this.#tellMember();
    },
    block: () => this.#setBlocked(true),
    unblock: () => this.#setBlocked(false),
    'bob accepts': () => {
      if (!this.#isSentAsRequest || this.#isBlocked) return undefined;
      this.#isSentAsRequest = false;
      return this.#tellMember();
    },
    'delete chat': (pick) => {
      if (this.#status === 'none') return undefined;
      // A device that does not know the newest messages.
      const seq = Math.max(0, this.#messages.length - (pick % 3));
      this.#clearedSeq = Math.max(this.#clearedSeq, seq);
      this.#ownClearedSeq = Math.max(this.#ownClearedSeq, seq);
      if (this.#status === 'accepted') this.#readSeq = Math.max(this.#readSeq, seq);
      this.#isRemoved = true;
      const { mutedUntil } = this.#settings;
      this.#settings = mutedUntil === undefined ? {} : { mutedUntil };
      this.#archivedSeq = undefined;
      for (const each of this.#messages) if (each.seq <= seq) each.isVisible = false;
      if (!this.#visible.some(({ _id }) => _id === this.#reaction?.messageId)) {
        this.#reaction = undefined;
      }
      return this.#tellMember();
    },
    'search for bob': () => {
      if (!this.#isRemoved || this.#isBlocked || this.#status === 'none') return undefined;
      this.#isRemoved = false;
      this.#status = 'accepted';
      return this.#tellMember();
    },
  };

  /** Takes a step. Returns undefined if it is not possible now. */
  take({ kind, pick }: ScenarioStep): ScenarioOutcome | undefined {
    this.#minutes += 1;
    const events = this.#steps[kind](pick);
    return events && { events, state: this.toState() };
  }

  toState(): ChatState {
    const last = this.#visible.at(-1);
    const { isPinned, mutedUntil, isMarkedUnread } = this.#settings;
    const settings: ChatSettings = {
      ...(isPinned && { isPinned }),
      ...(this.#isArchived && { isArchived: true }),
      ...(mutedUntil !== undefined && { mutedUntil }),
      ...(isMarkedUnread && { isMarkedUnread }),
    };
    const { newestSeq = 0, ...lastReaction } = this.#reaction ?? {};
    const isReactionShown = this.#reaction && (last?.seq ?? 0) <= newestSeq;
    const { deliveredSeq, readSeq } = this.#receipt;
    return createChatState(
      {
        rev: this.#rev,
        memberRev: this.#memberRev,
        status: this.#isBlocked ? 'blocked' : this.#status,
        ...(this.#isSentAsRequest && { isSentAsRequest: true }),
        unreadMessagesCount: this.#unread,
        readSeq: this.#readSeq,
        ...(this.#clearedSeq > 0 && { clearedSeq: this.#clearedSeq }),
        ...(this.#ownClearedSeq > 0 && { ownClearedSeq: this.#ownClearedSeq }),
        ...(this.#isRemoved && { isRemoved: true }),
        ...(isReactionShown && { lastReaction: lastReaction as LastReaction }),
        ...(this.#isToldReceipts &&
          deliveredSeq > 0 && { partnerDeliveredSeq: deliveredSeq, partnerReadSeq: readSeq }),
        ...(Object.keys(settings).length > 0 && { settings }),
      },
      last,
    );
  }

  get #visible(): readonly ScenarioMessage[] {
    return this.#messages.filter(({ isVisible }) => isVisible);
  }

  get #unread(): number {
    if (this.#isBlocked) return 0;
    return this.#visible.filter(
      ({ seq, sender }) => seq > this.#readSeq && sender.username === 'Bob',
    ).length;
  }

  get #isUnaccepted(): boolean {
    return this.#status === 'request' || this.#status === 'undecided';
  }

  get #isToldReceipts(): boolean {
    return this.#status === 'accepted' && !this.#isSentAsRequest && !this.#isBlocked;
  }

  get #isArchived(): boolean {
    const archivedSeq = this.#archivedSeq;
    if (archivedSeq === undefined) return false;
    const { seq = 0, createdAt = '' } = this.#received ?? {};
    return seq <= archivedSeq || createdAt <= (this.#settings.mutedUntil ?? '');
  }

  #time(): string {
    return toTime(this.#minutes);
  }

  #addMessage(username: string, isVisible: boolean): ScenarioMessage {
    this.#rev += 1;
    const seq = this.#messages.length + 1;
    const message: ScenarioMessage = {
      _id: `m${seq}`,
      chatroom: 'room',
      content: `text ${seq}`,
      sender: { username },
      createdAt: this.#time(),
      updatedAt: this.#time(),
      seq,
      rev: this.#rev,
      kind: 'text',
      isVisible,
    };
    this.#messages.push(message);
    return message;
  }

  #pickVisible(pick: number): ScenarioMessage | undefined {
    return this.#visible[pick % Math.max(1, this.#visible.length)];
  }

  #update(pick: number, changes: Partial<Message>): ScenarioEvent[] | undefined {
    const message = this.#pickVisible(pick);
    if (!message || this.#isBlocked) return undefined;
    this.#rev += 1;
    Object.assign(message, changes, { rev: this.#rev });
    if (this.#reaction?.messageId === message._id) {
      const content = cutExcerpt(message.content, LIMITS.reactionExcerpt);
      this.#reaction = { ...this.#reaction, content };
    }
    const { isVisible: _isVisible, ...updated } = message;
    return [{ type: 'message-update', message: updated }];
  }

  #toReactionEvent(
    { newestSeq: _newestSeq, ...reaction }: LastReaction & { newestSeq: number },
    isOn: boolean,
  ): ScenarioEvent {
    return { type: 'reaction', rev: this.#rev, reaction, isOn };
  }

  #advanceRead(pick: number): number | undefined {
    const newest = this.#visible.at(-1)?.seq ?? 0;
    if (newest <= this.#readSeq) return undefined;
    this.#readSeq += 1 + (pick % (newest - this.#readSeq));
    return this.#readSeq;
  }

  #setBlocked(isBlocked: boolean): ScenarioEvent[] | undefined {
    if (this.#isBlocked === isBlocked) return undefined;
    this.#isBlocked = isBlocked;
    if (isBlocked) this.#readSeq = this.#messages.length;
    return this.#tellMember();
  }

  #tellMember(): ScenarioEvent[] {
    this.#memberRev += 1;
    return this.#tell();
  }

  #tell(): ScenarioEvent[] {
    return [{ type: 'chat', state: this.toState() }];
  }
}

const toTime = (minutes: number): string =>
  new Date(Date.UTC(2025, 2, 20, 9, minutes)).toISOString();

/** Takes steps in a new chat, without those that are not possible. The first outcome is the start. */
export function playScenario(steps: readonly ScenarioStep[]): readonly ScenarioOutcome[] {
  const chat = new ScenarioChat();
  const start: ScenarioOutcome = { events: [], state: chat.toState() };
  return [start, ...steps.flatMap((step) => chat.take(step) ?? [])];
}
