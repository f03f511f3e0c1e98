import { MUTED_ALWAYS, type ChatSettings, type ChatStatus } from '@parley/contract';

/** A message of the model. */
export interface ModelMessage {
  id: string;
  seq: number;
  rev: number;
  sender: string;
  content: string;
  isDeleted: boolean;
  /** Whether only the sender sees it. */
  isWithheld: boolean;
  /** In the order of their time. */
  reactions: ModelReaction[];
  /** The message that it replies to. */
  original?: ModelMessage | undefined;
  readonly albumId: string | undefined;
  isForwarded: boolean;
}

/** A reaction to a message of the model. */
export interface ModelReaction {
  emoji: string;
  user: string;
  /** Whether only the user sees it. */
  isWithheld: boolean;
}

/** A change of a member's settings of a chat. */
export interface SettingsChange {
  isPinned?: boolean;
  isArchived?: boolean;
  /** Forever, or not at all. */
  mutedUntil?: typeof MUTED_ALWAYS | null;
  isMarkedUnread?: boolean;
}

/** A member's settings of a chat. */
interface ModelSettings {
  isPinned: boolean;
  /** Place among the pinned chats, of which the highest is first. */
  pinRank: number;
  /** Up to which `seq` the chat is archived, or null if it is not. */
  archivedSeq: number | null;
  isMuted: boolean;
  isMarkedUnread: boolean;
}

const DEFAULT_SETTINGS: ModelSettings = {
  isPinned: false,
  pinRank: 0,
  archivedSeq: null,
  isMuted: false,
  isMarkedUnread: false,
};

function unpin({ settings }: ModelMember): void {
  settings.isPinned = false;
}

/** The state of a chatroom for one of its members. */
export interface ModelMember {
  consent: 'accepted' | 'requested' | 'declined';
  /** Whether messages are a quiet request until the member accepts the partner. */
  isQuiet: boolean;
  isBlocking: boolean;
  /** Messages of the partner up to this `seq` are deleted for the member. */
  clearedSeq: number;
  /** Own messages up to this `seq` are deleted for the member. */
  ownClearedSeq: number;
  /** Whether the chat is listed only while the member sees a message. */
  isRemoved: boolean;
  readSeq: number;
  /** No message between these positions is visible to the member. */
  blockStartSeq: number;
  blockEndSeq: number;
  /** Positions that the partner is told. */
  deliveredSeq: number;
  seenSeq: number;
  settings: ModelSettings;
  /** The partner's latest reaction to a message of the member, and the newest `seq` at that time. */
  latestReaction?: { message: ModelMessage; emoji: string; seq: number } | undefined;
}

/** A chatroom of the model. Users are identified by their names. */
export interface ModelChatroom {
  id: string;
  members: [string, string];
  messages: ModelMessage[];
  lastRev: number;
  states: Map<string, ModelMember>;
}

/** A change of a member's consent or block. */
export type ConsentAction = 'accept' | 'decline' | 'block' | 'unblock';

/** A simple model of the rules of chatrooms and messages, against which the server is tested. */
export class ChatModel {
  readonly people = new Set<string>();
  /** People who do not share receipts. */
  readonly withoutReceipts = new Set<string>();
  /** People for whom first messages are quiet requests. */
  readonly withRequests = new Set<string>();
  readonly rooms: ModelChatroom[] = [];

  chatroomOf(a: string, b: string): ModelChatroom | undefined {
    return this.rooms.find(({ members }) => members.includes(a) && members.includes(b));
  }

  chatroomsOf(person: string): ModelChatroom[] {
    return this.rooms.filter(({ members }) => members.includes(person));
  }

  partnerOf(room: ModelChatroom, person: string): string | undefined {
    return room.members.find((name) => name !== person && this.people.has(name));
  }

  /** Returns the state of a chatroom for a member. */
  state(room: ModelChatroom, person: string): ModelMember {
    const state = room.states.get(person);
    if (state === undefined) throw new Error('not a member');
    return state;
  }

  /** Returns the rooms that exist for a person: all but declined requests. */
  readableChatroomsOf(person: string): ModelChatroom[] {
    return this.chatroomsOf(person).filter(
      (room) => this.state(room, person).consent !== 'declined',
    );
  }

  /** Returns the rooms in a person's chat list. */
  listedChatroomsOf(person: string): ModelChatroom[] {
    return this.readableChatroomsOf(person).filter((room) => {
      const { consent, isQuiet, isBlocking } = this.state(room, person);
      if (isBlocking || this.isGone(room, person)) return false;
      return consent === 'accepted' || !isQuiet || this.partnerOf(room, person) !== undefined;
    });
  }

  /** Returns whether a member has deleted the chat, and sees no message since. */
  isGone(room: ModelChatroom, person: string): boolean {
    return this.state(room, person).isRemoved && this.visible(room, person).length === 0;
  }

  /** Returns the messages that a member sees, oldest first. */
  visible(room: ModelChatroom, person: string): ModelMessage[] {
    const { clearedSeq, ownClearedSeq } = this.state(room, person);
    return room.messages.filter(
      ({ isDeleted, isWithheld, sender, seq }) =>
        !isDeleted && (sender === person ? seq > ownClearedSeq : !isWithheld && seq > clearedSeq),
    );
  }

  /** Adds a room that `a` creates with a first message to `b`. */
  addChatroom(id: string, a: string, b: string): ModelChatroom {
    const state = {
      isQuiet: true,
      isBlocking: false,
      clearedSeq: 0,
      ownClearedSeq: 0,
      isRemoved: false,
      readSeq: 0,
      blockStartSeq: 0,
      blockEndSeq: 0,
      deliveredSeq: 0,
      seenSeq: 0,
    };
    const states = new Map<string, ModelMember>([
      [a, { ...state, settings: { ...DEFAULT_SETTINGS }, consent: 'accepted' }],
      [b, { ...state, settings: { ...DEFAULT_SETTINGS }, consent: 'requested' }],
    ]);
    const room: ModelChatroom = { id, members: [a, b], messages: [], lastRev: 0, states };
    this.rooms.push(room);
    return room;
  }

  /** Returns the expected HTTP status of a request to send a message. */
  sendStatus(room: ModelChatroom, person: string): number {
    if (this.partnerOf(room, person) === undefined) return 403;
    return this.state(room, person).isBlocking ? 403 : 201;
  }

  send(
    room: ModelChatroom,
    sender: string,
    id: string,
    content: string,
    {
      original,
      albumId,
      isForwarded = false,
    }: Partial<Pick<ModelMessage, 'original' | 'albumId' | 'isForwarded'>> = {},
  ): ModelMessage {
    const before = room.messages.length;
    const message: ModelMessage = {
      id,
      seq: before + 1,
      rev: ++room.lastRev,
      sender,
      content,
      isDeleted: false,
      isWithheld: this.isBlocked(room, sender),
      reactions: [],
      original: original && this.isQuotable(room, sender, original) ? original : undefined,
      albumId,
      isForwarded,
    };
    room.messages.push(message);
    const own = this.state(room, sender);
    const readBefore = own.readSeq;
    if (own.readSeq === before) own.readSeq = message.seq;
    if (own.consent !== 'accepted') {
      own.consent = 'accepted';
      this.tellReceipt(room, sender, { readSeq: readBefore });
    }
    const partner = this.partnerOf(room, sender);
    const other = partner === undefined ? undefined : this.state(room, partner);
    if (other && other.consent !== 'accepted') {
      if (!message.isWithheld) other.consent = 'requested';
      other.isQuiet = partner !== undefined && this.withRequests.has(partner);
      if (other.isQuiet) unpin(other);
    }
    return message;
  }

  /** Returns whether a member may reply to a message: it is deleted, or the member sees it. */
  isQuotable(room: ModelChatroom, person: string, message: ModelMessage): boolean {
    const shown = { ...room, messages: [{ ...message, isDeleted: false }] };
    return room.messages.includes(message) && this.visible(shown, person).length > 0;
  }

  /** Returns the quote that a member sees in a reply, or undefined if the message is none. */
  quote(
    room: ModelChatroom,
    { original }: ModelMessage,
    viewer: string,
  ): { messageId: string; username: string; content: string } | undefined {
    if (original === undefined) return undefined;
    const { id: messageId, sender: username, content } = original;
    const isSeen = this.visible(room, viewer).includes(original);
    return isSeen ? { messageId, username, content } : { messageId, username: '', content: '' };
  }

  /** Returns the fields that tell a member what the two have decided about each other. */
  consentFields(room: ModelChatroom, person: string): object {
    const partner = this.partnerOf(room, person);
    const other = partner === undefined ? undefined : this.state(room, partner);
    return {
      status: this.status(room, person),
      isSentAsRequest: other && other.consent !== 'accepted' && other.isQuiet ? true : undefined,
    };
  }

  /** Returns the status of a chat for a member. */
  status(room: ModelChatroom, person: string): ChatStatus {
    const { consent, isQuiet, isBlocking } = this.state(room, person);
    if (isBlocking) return 'blocked';
    if (consent === 'requested') return isQuiet ? 'request' : 'undecided';
    return consent === 'accepted' ? 'accepted' : 'none';
  }

  /** Returns whether the partner blocks a member. */
  isBlocked(room: ModelChatroom, person: string): boolean {
    const partner = this.partnerOf(room, person);
    return partner !== undefined && this.state(room, partner).isBlocking;
  }

  /** Returns the expected HTTP status of a request to change a member's consent or block. */
  consentStatus(room: ModelChatroom, person: string, action: ConsentAction): number {
    const { consent, isBlocking } = this.state(room, person);
    if (action === 'accept' && consent === 'declined') return 404;
    if (action === 'accept') return isBlocking ? 403 : 200;
    return action === 'decline' && consent === 'accepted' ? 409 : 200;
  }

  changeConsent(room: ModelChatroom, person: string, action: ConsentAction): void {
    const state = this.state(room, person);
    const lastSeq = room.messages.length;
    if (action === 'accept') {
      if (state.consent === 'accepted') return;
      state.consent = 'accepted';
      this.tellReceipt(room, person, { readSeq: state.readSeq });
    } else if (action === 'decline') {
      if (state.consent === 'declined') return;
      Object.assign(state, { consent: 'declined', clearedSeq: lastSeq });
      state.settings = { ...DEFAULT_SETTINGS };
    } else if (state.isBlocking !== (action === 'block')) {
      Object.assign(state, { isBlocking: action === 'block', readSeq: lastSeq });
      if (action === 'block') unpin(state);
      if (action === 'unblock') state.blockEndSeq = lastSeq;
      // A block right after another one continues it.
      else if (state.blockEndSeq !== lastSeq) state.blockStartSeq = lastSeq;
    }
  }

  /** Deletes the messages up to a `seq` for a member, and removes the chat from the member's list. */
  deleteChat(room: ModelChatroom, person: string, seq: number): void {
    const state = this.state(room, person);
    const cleared = Math.min(seq, room.messages.length);
    state.clearedSeq = Math.max(state.clearedSeq, cleared);
    state.ownClearedSeq = Math.max(state.ownClearedSeq, cleared);
    if (state.consent === 'accepted') state.readSeq = Math.max(state.readSeq, cleared);
    state.isRemoved = true;
    Object.assign(state.settings, { isPinned: false, archivedSeq: null, isMarkedUnread: false });
  }

  /** Makes a member search for the partner, which accepts the partner and lists the chat. */
  find(room: ModelChatroom, person: string): void {
    this.changeConsent(room, person, 'accept');
    this.state(room, person).isRemoved = false;
  }

  /** Returns whether a message is a member's own, which is deleted for the member. */
  isOwnCleared(room: ModelChatroom, { sender, seq }: ModelMessage, person: string): boolean {
    return sender === person && seq <= this.state(room, person).ownClearedSeq;
  }

  /** Returns the expected HTTP status of a request to edit or delete a message. */
  changeStatus(
    room: ModelChatroom,
    message: ModelMessage,
    person: string,
    isEdit: boolean,
  ): number {
    if (!room.members.includes(person)) return 404;
    if (!isEdit && this.isOwnCleared(room, message, person)) return message.isDeleted ? 404 : 200;
    if (!this.visible(room, person).includes(message)) return 404;
    if (message.sender !== person) return 403;
    return isEdit && this.sendStatus(room, person) === 403 ? 403 : 200;
  }

  edit(room: ModelChatroom, message: ModelMessage, content: string): void {
    if (message.content === content) return;
    message.content = content;
    message.isForwarded = false;
    message.isWithheld ||= this.isBlocked(room, message.sender);
    message.rev = ++room.lastRev;
  }

  /** Returns the expected HTTP status of a request to react to a message. */
  reactStatus(room: ModelChatroom, message: ModelMessage, person: string): number {
    if (!room.members.includes(person) || !this.visible(room, person).includes(message)) return 404;
    if (this.sendStatus(room, person) === 403) return 403;
    return this.state(room, person).consent === 'accepted' ? 200 : 403;
  }

  react(
    room: ModelChatroom,
    message: ModelMessage,
    user: string,
    emoji: string,
    isOn: boolean,
  ): void {
    const known = message.reactions.find((each) => each.user === user && each.emoji === emoji);
    if ((known !== undefined) === isOn) return;
    message.rev = ++room.lastRev;
    const isWithheld = this.isBlocked(room, user);
    if (known === undefined) message.reactions.push({ emoji, user, isWithheld });
    else message.reactions.splice(message.reactions.indexOf(known), 1);
    if (message.sender === user) return;
    const sender = this.state(room, message.sender);
    const { latestReaction: latest } = sender;
    if (isOn && !isWithheld && message.seq > sender.ownClearedSeq) {
      sender.latestReaction = { message, emoji, seq: room.messages.length };
    } else if (!isOn && latest?.message === message && latest.emoji === emoji) {
      sender.latestReaction = undefined;
    }
  }

  /** Returns the reactions to a message that a member sees, or undefined if there are none. */
  reactions(
    message: ModelMessage,
    viewer: string,
  ): { emoji: string; usernames: string[] }[] | undefined {
    const seen = message.reactions.filter(
      ({ user, isWithheld }) => this.people.has(user) && (!isWithheld || user === viewer),
    );
    const groups = [...Map.groupBy(seen, ({ emoji }) => emoji)].map(([emoji, reactions]) => ({
      emoji,
      usernames: reactions.map(({ user }) => user),
    }));
    return groups.length === 0 ? undefined : groups;
  }

  /** Returns the partner's reaction that the chat list shows to a member, if any. */
  lastReaction(
    room: ModelChatroom,
    person: string,
  ): { messageId: string; emoji: string } | undefined {
    const { latestReaction: latest } = this.state(room, person);
    const newest = this.visible(room, person).at(-1)?.seq ?? 0;
    const isSeen = latest !== undefined && this.visible(room, person).includes(latest.message);
    if (!isSeen || newest > latest.seq || this.partnerOf(room, person) === undefined)
      return undefined;
    return { messageId: latest.message.id, emoji: latest.emoji };
  }

  delete(room: ModelChatroom, message: ModelMessage): void {
    message.isDeleted = true;
    message.reactions = [];
    message.rev = ++room.lastRev;
  }

  read(room: ModelChatroom, person: string, seq = Infinity): void {
    const state = this.state(room, person);
    const { settings } = state;
    const readSeq = Math.min(seq, room.messages.length);
    if (settings.isMarkedUnread && (readSeq > state.readSeq || seq === Infinity)) {
      settings.isMarkedUnread = false;
    }
    if (readSeq <= state.readSeq) return;
    state.readSeq = readSeq;
    this.tellReceipt(room, person, { readSeq });
  }

  /** Returns the expected HTTP status of a request to change a member's settings. */
  settingsStatus(room: ModelChatroom, person: string, { isPinned }: SettingsChange): number {
    const { consent, isQuiet, isBlocking, settings } = this.state(room, person);
    if (consent === 'declined') return 404;
    if (isBlocking || (consent === 'requested' && isQuiet)) return 403;
    const isNewPin = isPinned === true && !settings.isPinned;
    return isNewPin && this.partnerOf(room, person) === undefined ? 403 : 200;
  }

  changeSettings(room: ModelChatroom, person: string, change: SettingsChange): void {
    const { settings } = this.state(room, person);
    const wasArchived = this.isArchived(room, person);
    const isArchived = change.isPinned === true ? false : (change.isArchived ?? wasArchived);
    const isPinned = !isArchived && (change.isPinned ?? settings.isPinned);
    const { mutedUntil, isMarkedUnread = settings.isMarkedUnread } = change;
    const isMuted = mutedUntil === undefined ? settings.isMuted : mutedUntil !== null;
    const isSame =
      isArchived === wasArchived &&
      isPinned === settings.isPinned &&
      isMuted === settings.isMuted &&
      isMarkedUnread === settings.isMarkedUnread;
    if (isSame) return;
    if (isPinned && !settings.isPinned) {
      settings.pinRank = this.nextPinRank(person);
      this.state(room, person).isRemoved = false;
    }
    Object.assign(settings, {
      isPinned,
      archivedSeq: isArchived ? room.messages.length : null,
      isMuted,
      isMarkedUnread,
    });
  }

  /** Sorts the pinned chats. Those that are not given stay above the others. */
  orderPinned(person: string, ids: readonly string[]): void {
    const pinned = this.chatroomsOf(person)
      .filter((room) => this.partnerOf(room, person) !== undefined)
      .map(({ id, states }) => ({ place: ids.indexOf(id), member: states.get(person) }))
      .filter(({ member }) => member?.settings.isPinned && !member.isBlocking)
      .toSorted((a, b) => (b.member?.settings.pinRank ?? 0) - (a.member?.settings.pinRank ?? 0))
      .toSorted((a, b) => a.place - b.place);
    for (const [i, { member }] of pinned.entries()) {
      if (member) member.settings.pinRank = pinned.length - i;
    }
  }

  nextPinRank(person: string): number {
    const ranks = this.chatroomsOf(person)
      .filter((room) => this.partnerOf(room, person) !== undefined)
      .map((room) => this.state(room, person).settings)
      .map(({ isPinned, pinRank }) => (isPinned ? pinRank : 0));
    return Math.max(0, ...ranks) + 1;
  }

  /** Returns whether a chat is archived: until the partner sends a message, unless it is muted. */
  isArchived(room: ModelChatroom, person: string): boolean {
    const { clearedSeq, settings } = this.state(room, person);
    const { archivedSeq, isMuted } = settings;
    if (archivedSeq === null) return false;
    return (
      isMuted ||
      !room.messages.some(
        // Also after the partner has deleted the account.
        ({ sender, seq, isWithheld }) =>
          sender !== person && !isWithheld && seq > Math.max(archivedSeq, clearedSeq),
      )
    );
  }

  /** Returns a member's settings as in responses. */
  settings(room: ModelChatroom, person: string): ChatSettings {
    const { isPinned, pinRank, isMuted, isMarkedUnread } = this.state(room, person).settings;
    return {
      ...(isPinned && this.partnerOf(room, person) !== undefined && { isPinned, pinRank }),
      ...(this.isArchived(room, person) && { isArchived: true }),
      ...(isMuted && { mutedUntil: MUTED_ALWAYS }),
      ...(isMarkedUnread && { isMarkedUnread }),
    };
  }

  /** Advances what the partner is told, unless the person shares nothing with the partner. */
  tellReceipt(
    room: ModelChatroom,
    person: string,
    { deliveredSeq = 0, readSeq = 0 }: { deliveredSeq?: number; readSeq?: number },
  ): void {
    const state = this.state(room, person);
    const isShared = state.consent === 'accepted' && !state.isBlocking;
    if (!isShared || this.withoutReceipts.has(person)) return;
    const { blockStartSeq: start, blockEndSeq: end } = state;
    const visible = (seq: number): number => {
      const position = Math.min(seq, room.messages.length);
      return position > start && position <= end ? start : position;
    };
    state.seenSeq = Math.max(state.seenSeq, visible(readSeq));
    state.deliveredSeq = Math.max(state.deliveredSeq, visible(deliveredSeq), visible(readSeq));
  }

  /** Returns what a person is told about the partner's positions, as in responses. */
  partnerPositions(room: ModelChatroom, person: string): object {
    const { consent, isBlocking } = this.state(room, person);
    const isTold = consent === 'accepted' && !isBlocking && !this.withoutReceipts.has(person);
    // They stay after the partner has deleted the account.
    const partner = room.members.find((name) => name !== person);
    const state = partner === undefined ? undefined : this.state(room, partner);
    if (!isTold || state === undefined || state.deliveredSeq === 0) return {};
    return { partnerDeliveredSeq: state.deliveredSeq, partnerReadSeq: state.seenSeq };
  }

  deleteAccount(person: string): void {
    for (const room of this.chatroomsOf(person)) {
      for (const name of room.members) {
        // What the person has sent keeps the chat out of the partner's archive.
        if (!this.isArchived(room, name)) this.state(room, name).settings.archivedSeq = null;
      }
    }
    this.people.delete(person);
    for (const room of this.chatroomsOf(person)) {
      for (const message of room.messages) {
        if (message.sender === person && !message.isDeleted) this.delete(room, message);
      }
      if (this.partnerOf(room, person) === undefined)
        this.rooms.splice(this.rooms.indexOf(room), 1);
    }
  }

  unread(room: ModelChatroom, person: string): number {
    const { readSeq, isBlocking } = this.state(room, person);
    if (isBlocking) return 0;
    return this.visible(room, person).filter(
      ({ seq, sender }) => seq > readSeq && sender !== person,
    ).length;
  }
}
