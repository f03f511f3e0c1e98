import { randomBytes, randomUUID } from 'node:crypto';
import {
  DELETED_USER,
  MUTED_ALWAYS,
  type ChatState,
  type Message,
  type Quote,
} from '@parley/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseAccount } from '../../test/fixtures.ts';
import {
  ChatModel,
  type ConsentAction,
  type ModelChatroom,
  type ModelMessage,
  type SettingsChange,
} from '../../test/chat-model.ts';
import { beginChat, openChatList, readChatroom, receiveRequests } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { normalize } from '../../test/normalize.ts';
import { pickPositions, ChatroomMirror } from '../../test/chatroom-mirror.ts';
import { until } from '../../test/until.ts';
import type { DomainEvent } from '../domain-events.ts';

const NAMES = ['A', 'B', 'C'];

type ChatChanged = Extract<DomainEvent, { type: 'chat-changed' }>;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const who = fc.integer({ min: 0, max: NAMES.length - 1 });
const pick = fc.nat({ max: 60 });
const text = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  .map((s) => `x${s.trim()}`);
const settingStep = fc.record({
  do: fc.constant('set' as const),
  who,
  pick,
  change: fc.oneof(
    fc.record({ isPinned: fc.boolean() }),
    fc.record({ isArchived: fc.boolean() }),
    fc.record({ mutedUntil: fc.constantFrom(MUTED_ALWAYS, null) }),
    fc.record({ isMarkedUnread: fc.boolean() }),
  ),
});
const orderStep = fc.record({
  do: fc.constant('order' as const),
  who,
  picks: fc.array(pick, { maxLength: 3 }),
});
const deleteChatStep = fc.record({
  do: fc.constant('delete-chat' as const),
  who,
  pick,
  seq: fc.oneof(fc.constant(1_000), fc.nat({ max: 20 })),
});
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      who,
      whom: who,
      text,
      replyTo: fc.option(pick),
      album: fc.option(fc.nat({ max: 1 })),
      isForwarded: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('edit' as const), who, pick, text }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), who, pick }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('read' as const), who, pick, seq: fc.option(pick) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('resync' as const),
      who,
      limit: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('deliver' as const), who, pick, seq: pick }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('share' as const), who, isShared: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('react' as const),
      who,
      pick,
      emoji: fc.constantFrom('👍', '❤️', ':circassia:'),
      isOn: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: settingStep },
  { weight: 2, arbitrary: orderStep },
  { weight: 4, arbitrary: deleteChatStep },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('find' as const), who, pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete-account' as const), who }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'accept' as const,
        'decline' as const,
        'block' as const,
        'unblock' as const,
      ),
      who,
      pick,
    }),
  },
);
/** Mostly changes of settings and what affects them. */
const stepInAcceptedChat = fc.oneof(
  { weight: 8, arbitrary: settingStep },
  { weight: 2, arbitrary: orderStep },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      who,
      whom: fc.constantFrom(0, 1),
      text,
      replyTo: fc.constant(null),
      album: fc.constant(null),
      isForwarded: fc.constant(false),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('read' as const), who, pick, seq: fc.constant(null) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), who, pick }) },
  { weight: 2, arbitrary: deleteChatStep },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('block' as const), who, pick }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('unblock' as const), who, pick }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Runs the same random steps on the server and on the model. */
class History {
  readonly model = new ChatModel();
  readonly users: TestUser[] = [];
  mirrors = NAMES.map(() => new ChatroomMirror());
  readonly #mark = randomBytes(4).toString('hex');
  /** The albums that users send parts of. */
  readonly #albumIds = [randomUUID(), randomUUID()];
  /** Everything that the server sent to the first user. */
  readonly #sent: unknown[] = [];
  /** Whether the server refused the latest step. */
  #isRefused = false;
  /** What users were told of their chats since the latest check of the revisions. */
  #told: ChatChanged[] = [];
  /** Revisions of memberships, by chatroom and user. */
  readonly #memberRevs = new Map<string, number>();

  async begin(): Promise<void> {
    for (const name of NAMES) this.users.push(await server.signIn(`${name}-${this.#mark}`));
    for (const { username } of this.users) this.model.people.add(username);
    // First messages are quiet requests for one of them.
    await receiveRequests(this.user(2));
    this.model.withRequests.add(this.user(2).username);
    this.observeFirstUser();
    server.ctx.events.subscribe((event) => {
      if (event.type === 'chat-changed') this.#told.push(event);
    });
  }

  observeFirstUser(): void {
    const user = this.user(0);
    const request = user.request.bind(user);
    user.request = async (...args) => {
      const response = await request(...args);
      this.#sent.push(response.status, response.body);
      return response;
    };
    server.ctx.events.subscribe((event) => {
      const {
        members = [],
        userId,
        unaccepted,
        ...payload
      } = {
        members: undefined,
        userId: undefined,
        unaccepted: undefined,
        ...event,
      };
      const isRecipient = userId === user.id || members.includes(user.id);
      if (isRecipient)
        this.#sent.push({ ...payload, isUnaccepted: unaccepted?.userId === user.id });
    });
  }

  /** Returns everything that the server sent to the first user, without times and random ids. */
  sent(): string {
    return normalize(this.#sent, [this.#mark]);
  }

  /** Takes a step. Returns whether the server refused it. */
  async tryStep(step: Step): Promise<boolean> {
    this.#isRefused = false;
    await this.take(step);
    return this.#isRefused;
  }

  user(i: number): TestUser {
    return this.users[i] as TestUser;
  }

  /** Takes a step, and checks what users were told of their chats by it. */
  async take(step: Step): Promise<void> {
    const sender = this.user(step.who);
    const accepted = this.model
      .chatroomsOf(sender.username)
      .filter((room) => this.model.state(room, sender.username).consent === 'accepted');
    await this.run(step);
    const isSend = step.do === 'send';
    await this.checkMemberRevs((chatroomId, userId) => {
      // Only a message that accepts the partner tells the partner, who has sent one before.
      if (!isSend || userId === sender.id) return !isSend;
      return !accepted.some(({ id }) => id === chatroomId);
    });
  }

  /**
   * Checks that no revision of a membership has decreased, and that each one that has increased was told to
   * the member. `mayIncrease` returns whether the latest step may have increased one.
   */
  async checkMemberRevs(
    mayIncrease: (chatroomId: string, userId: string) => boolean,
  ): Promise<void> {
    const rows = await server.ctx.storage.read((db) =>
      db
        .selectFrom('chatroom_members')
        .select(['chatroom_id', 'user_id', 'member_rev'])
        .where(
          'user_id',
          'in',
          this.users.map(({ id }) => id),
        )
        .execute(),
    );
    for (const { chatroom_id: chatroomId, user_id: userId, member_rev: rev } of rows) {
      const key = `${chatroomId} ${userId}`;
      const before = this.#memberRevs.get(key) ?? 0;
      this.#memberRevs.set(key, rev);
      const listTold = () => [
        ...new Set(
          this.#told
            .filter((event) => event.userId === userId && event.chat.chatId === chatroomId)
            .map(({ chat }) => chat.memberRev)
            .filter((each) => each > before),
        ),
      ];
      const increases = Array.from({ length: rev - before }, (_, i) => before + i + 1);
      expect(rev).toBeGreaterThanOrEqual(before);
      // On PostgreSQL, events wait for those of earlier revisions, of which an erasure sends none.
      if (rev > before) await until(() => listTold().length > 0);
      expect(listTold()).toEqual(increases);
      if (rev > before) expect(mayIncrease(chatroomId, userId)).toBe(true);
    }
    this.#told.length = 0;
  }

  async run(step: Step): Promise<void> {
    const user = this.user(step.who);
    const name = user.username;
    if (!this.model.people.has(name)) return;
    if (step.do === 'send') {
      return this.send(user, this.user(step.whom), step.text, step);
    }
    if (step.do === 'delete-account') {
      await eraseAccount(server, user);
      return this.model.deleteAccount(name);
    }
    if (step.do === 'resync') return this.resync(step.who, step.limit);
    if (step.do === 'read') return this.read(user, step.pick, step.seq ?? undefined);
    if (step.do === 'deliver') return this.deliver(user, step.pick, step.seq);
    if (step.do === 'share') return this.share(user, step.isShared);
    if (step.do === 'react') return this.react(user, step.pick, step.emoji, step.isOn);
    if (step.do === 'set') return this.set(user, step.pick, step.change);
    if (step.do === 'order') return this.order(user, step.picks);
    if (step.do === 'delete-chat') return this.deleteChat(user, step.pick, step.seq);
    if (step.do === 'find') return this.find(user, step.pick);
    if (step.do === 'edit') return this.change(user, step.pick, step.text);
    if (step.do === 'delete') return this.change(user, step.pick);
    return this.changeConsent(user, step.pick, step.do);
  }

  async changeConsent(user: TestUser, pick: number, action: ConsentAction): Promise<void> {
    const rooms = this.model.chatroomsOf(user.username);
    const room = rooms[pick % rooms.length];
    if (room === undefined) return;
    const expected = this.model.consentStatus(room, user.username, action);
    const { status } = await user.request('POST', `/api/chatrooms/chats/${room.id}/${action}`);
    expect(status).toBe(expected);
    this.#isRefused = status !== 200;
    if (this.#isRefused) return;
    this.model.changeConsent(room, user.username, action);
    // Devices discard a chat that is declined.
    if (action === 'decline') this.mirrors[this.users.indexOf(user)] = new ChatroomMirror();
  }

  /** Sends a message, which may reply to any message of any chatroom, be a part of an album and be forwarded. */
  async send(
    user: TestUser,
    partner: TestUser,
    content: string,
    { replyTo: pick = null, album = null, isForwarded = false }: SendOptions = {},
  ): Promise<void> {
    if (user === partner) return;
    const room = this.model.chatroomOf(user.username, partner.username);
    if (room === undefined) {
      if (!this.model.people.has(partner.username)) return;
      const id = await beginChat(user, partner, content, { isUndecided: true });
      const [first] = (await readChatroom(user, id)).chatroomMessages;
      const created = this.model.addChatroom(id, user.username, partner.username);
      this.model.send(created, user.username, String(first?._id), content);
    } else {
      const messages = pick === null ? [] : this.model.rooms.flatMap((each) => each.messages);
      // Mostly one of the same chatroom.
      const from =
        (pick ?? 0) % 5 === 0 ? messages : messages.filter((m) => room.messages.includes(m));
      const original = from[(pick ?? 0) % from.length];
      const albumId = this.#albumIds[album ?? Infinity];
      const body = {
        chatroom: room.id,
        content,
        isForwarded,
        ...(original && { replyTo: original.id }),
        ...(albumId && { albumId }),
      };
      const { status, body: message } = await user.request('POST', '/api/messages/send', body);
      expect(status).toBe(this.model.sendStatus(room, user.username));
      this.#isRefused = status !== 201;
      if (this.#isRefused) return;
      const options = { original, albumId, isForwarded };
      const sent = this.model.send(room, user.username, message._id, content, options);
      const { seq, rev } = sent;
      expect(message).toMatchObject({ seq, rev, content });
      this.expectOrigins([message], [sent], room, user.username);
    }
  }

  /**
   * Edits a message, or deletes it if no text is given. It is usually one of the user's own and may
   * already be deleted.
   */
  async change(user: TestUser, pick: number, text?: string): Promise<void> {
    const all = this.model.rooms.flatMap((room) => room.messages.map((m) => ({ room, m })));
    const own = all.filter(({ m }) => m.sender === user.username);
    const found = pick % 4 === 0 ? all[pick % all.length] : own[pick % own.length];
    if (found === undefined) return;
    const { room, m } = found;
    const status = this.model.changeStatus(room, m, user.username, text !== undefined);
    const response =
      text === undefined
        ? await user.request('DELETE', '/api/messages/delete', { messageId: m.id })
        : await user.request('PATCH', '/api/messages/edit', { messageId: m.id, content: text });
    expect(response.status).toBe(status);
    this.#isRefused = status !== 200;
    if (this.#isRefused) return;
    if (text === undefined) this.model.delete(room, m);
    else this.model.edit(room, m, text);
  }

  /** Reacts to a message after accepting a request, or takes the reaction back. */
  async react(user: TestUser, pick: number, emoji: string, isOn: boolean): Promise<void> {
    const rooms = this.model.chatroomsOf(user.username);
    const all = rooms.flatMap((room) => room.messages.map((m) => ({ room, m })));
    const found = all[pick % all.length];
    if (found === undefined) return;
    const { room, m } = found;
    const { consent, isBlocking } = this.model.state(room, user.username);
    const isSeen = this.model.visible(room, user.username).includes(m);
    if (consent === 'requested' && isSeen && !isBlocking)
      await this.changeConsent(user, rooms.indexOf(room), 'accept');
    const status = this.model.reactStatus(room, m, user.username);
    const body = { messageId: m.id, emoji, isOn };
    const response = await user.request('POST', '/api/messages/react', body);
    expect(response.status).toBe(status);
    this.#isRefused = status !== 200;
    if (this.#isRefused) return;
    this.model.react(room, m, user.username, emoji, isOn);
    expect(response.body.reactions).toEqual(this.model.reactions(m, user.username));
  }

  async read(user: TestUser, pick: number, seq?: number): Promise<void> {
    const rooms = this.model.readableChatroomsOf(user.username);
    const room = rooms[pick % rooms.length];
    if (room === undefined) return;
    const path = `/api/chatrooms/chats/${room.id}/mark-as-read`;
    const response = await user.request('POST', path, seq === undefined ? undefined : { seq });
    this.model.read(room, user.username, seq);
    expect(response.body.chat).toMatchObject({
      readSeq: this.model.state(room, user.username).readSeq,
      unreadMessagesCount: this.model.unread(room, user.username),
    });
  }

  /** Changes settings of a chat. */
  async set(user: TestUser, pick: number, change: SettingsChange): Promise<void> {
    const rooms = this.model.chatroomsOf(user.username);
    const room = rooms[pick % rooms.length];
    if (room === undefined) return;
    const expected = this.model.settingsStatus(room, user.username, change);
    const path = `/api/chatrooms/chats/${room.id}/settings`;
    const { status, body } = await user.request('PATCH', path, change);
    expect(status).toBe(expected);
    this.#isRefused = status !== 200;
    if (this.#isRefused) return;
    this.model.changeSettings(room, user.username, change);
    expect(body.chat.settings ?? {}).toEqual(this.model.settings(room, user.username));
  }

  /** Sorts the pinned chats. Some may not be pinned. */
  async order(user: TestUser, picks: readonly number[]): Promise<void> {
    const rooms = this.model.chatroomsOf(user.username);
    const ids = new Set(picks.flatMap((pick) => rooms[pick % rooms.length]?.id ?? []));
    const body = { chats: [...ids] };
    const response = await user.request('PATCH', '/api/chatrooms/pinned', body);
    expect(response.status).toBe(200);
    this.model.orderPinned(user.username, body.chats);
  }

  /** Deletes a chat for the user. */
  async deleteChat(user: TestUser, pick: number, seq: number): Promise<void> {
    const rooms = this.model.readableChatroomsOf(user.username);
    const room = rooms[pick % rooms.length];
    if (room === undefined) return;
    const path = `/api/chatrooms/chats/${room.id}/delete`;
    const { status, body } = await user.request('POST', path, { seq });
    expect(status).toBe(200);
    this.model.deleteChat(room, user.username, seq);
    expect(body.chat.isRemoved).toBe(true);
    expect(body.chat.unreadMessagesCount).toBe(this.model.unread(room, user.username));
  }

  /** Searches for the partner of a chat. */
  async find(user: TestUser, pick: number): Promise<void> {
    const rooms = this.model.chatroomsOf(user.username);
    const room = rooms[pick % rooms.length];
    const username = room && this.model.partnerOf(room, user.username);
    if (room === undefined || username === undefined) return;
    const { consent, isBlocking } = this.model.state(room, user.username);
    this.#isRefused = consent === 'declined';
    if (this.#isRefused) return;
    const { status, body } = await user.request('POST', '/api/chatrooms/exist', { username });
    expect(status).toBe(isBlocking ? 403 : 200);
    this.#isRefused = status !== 200;
    if (this.#isRefused) return;
    expect(body.chatroom).toBe(room.id);
    this.model.find(room, user.username);
  }

  /** Returns whether a step is about a chatroom whose partner the user blocks. */
  isInBlockedChatroom(each: Step): boolean {
    const name = this.user(each.who).username;
    const isRead = each.do === 'read';
    const rooms = isRead ? this.model.readableChatroomsOf(name) : this.model.chatroomsOf(name);
    const room = 'pick' in each ? rooms[each.pick % rooms.length] : undefined;
    return room !== undefined && this.model.state(room, name).isBlocking;
  }

  async deliver(user: TestUser, pick: number, seq: number): Promise<void> {
    const rooms = this.model.chatroomsOf(user.username);
    const room = rooms[pick % rooms.length];
    if (room === undefined) return;
    const body = { rooms: { [room.id]: seq } };
    const { status } = await user.request('POST', '/api/chatrooms/delivered', body);
    expect(status).toBe(200);
    this.model.tellReceipt(room, user.username, { deliveredSeq: seq });
  }

  async share(user: TestUser, isShared: boolean): Promise<void> {
    const { status } = await user.request('PATCH', '/api/users/settings', {
      sharesReceipts: isShared,
    });
    expect(status).toBe(200);
    if (isShared) this.model.withoutReceipts.delete(user.username);
    else this.model.withoutReceipts.add(user.username);
  }

  async resync(i: number, limit: number): Promise<void> {
    const { username } = this.user(i);
    const mirror = this.mirrors[i] as ChatroomMirror;
    const rooms = this.model.readableChatroomsOf(username);
    await mirror.resync(
      this.user(i),
      rooms.map(({ id }) => id),
      limit,
    );
    for (const room of rooms) {
      const visible = this.model.visible(room, username);
      const received = mirror.received.filter(({ chatroom }) => chatroom === room.id);
      const sent = received.map(({ _id }) => visible.find(({ id }) => id === _id));
      this.expectOrigins(received, sent, room, username);
      expect(mirror.room(room.id)).toMatchObject(this.expectedMessages(room, username));
      this.expectReactions(mirror.room(room.id), room, username);
      expect(mirror.room(room.id)).toHaveLength(this.model.visible(room, username).length);
      expect(mirror.revs[room.id]).toBe(room.lastRev);
      this.expectChat(mirror.chats.get(room.id), room, username);
    }
  }

  /** Expects a state of a chat to be that of the model. */
  expectChat(chat: ChatState | undefined, room: ModelChatroom, username: string): void {
    const partner = this.model.partnerOf(room, username);
    const last = this.model.visible(room, username).at(-1);
    const { readSeq, clearedSeq, ownClearedSeq, isRemoved } = this.model.state(room, username);
    expect(chat).toMatchObject({
      chatId: room.id,
      usernames: partner === undefined ? [] : [partner],
      isDeletedAccount: partner === undefined,
      lastMessage:
        last === undefined ? null : { content: last.content, kind: 'text', seq: last.seq },
      unreadMessagesCount: this.model.unread(room, username),
      readSeq,
      rev: room.lastRev,
    });
    if (chat === undefined) return;
    expect(chat.clearedSeq ?? 0).toBe(clearedSeq);
    expect(chat.ownClearedSeq ?? 0).toBe(ownClearedSeq);
    expect(chat.isRemoved ?? false).toBe(isRemoved);
    expect(pickPositions(chat)).toEqual(this.model.partnerPositions(room, username));
    const { status, isSentAsRequest } = chat;
    expect({ status, isSentAsRequest }).toEqual(this.model.consentFields(room, username));
    expect(chat.settings ?? {}).toEqual(this.model.settings(room, username));
    const { messageId, emoji } = chat.lastReaction ?? {};
    const reaction = messageId === undefined ? undefined : { messageId, emoji };
    expect(reaction).toEqual(this.model.lastReaction(room, username));
  }

  expectedMessages(room: ModelChatroom, username: string): object[] {
    return this.model.visible(room, username).map(({ id, seq, rev, sender, content }) => ({
      _id: id,
      chatroom: room.id,
      seq,
      rev,
      sender: { username: sender },
      content,
    }));
  }

  expectReactions(messages: readonly Message[], room: ModelChatroom, username: string): void {
    const expected = this.model.visible(room, username);
    // A client removes the reactions of a deleted account itself.
    const hasPartner = this.model.partnerOf(room, username) !== undefined;
    const shown = messages.map(({ reactions }) =>
      hasPartner ? reactions : withoutOthers(reactions, username),
    );
    expect(shown).toEqual(expected.map((m) => this.model.reactions(m, username)));
  }

  /** Checks that everything that active users can see matches the model. */
  async check(pageSize: number): Promise<void> {
    for (const [i, user] of this.users.entries()) {
      if (!this.model.people.has(user.username)) continue;
      await this.resync(i, pageSize);
      const chats = await openChatList(user);
      const listed = this.model.listedChatroomsOf(user.username);
      expect(chats.map(({ chatId }) => chatId).toSorted()).toEqual(
        listed.map(({ id }) => id).toSorted(),
      );
      const rooms = this.model.readableChatroomsOf(user.username);
      for (const room of rooms) await this.checkChatroom(user, room, pageSize, chats);
      const deletedFlags = chats.map(({ isDeletedAccount }) => isDeletedAccount);
      expect(deletedFlags).toEqual(deletedFlags.toSorted((a, b) => Number(a) - Number(b)));
      const pins = chats.map(({ settings }) => Number(settings?.isPinned ?? false));
      expect(pins).toEqual(pins.toSorted((a, b) => b - a));
    }
  }

  async checkChatroom(
    user: TestUser,
    room: ModelChatroom,
    pageSize: number,
    chats: Awaited<ReturnType<typeof openChatList>>,
  ): Promise<void> {
    const partner = this.model.partnerOf(room, user.username);
    const unread = this.model.unread(room, user.username);
    const visible = this.model.visible(room, user.username);
    // The same state in every response.
    const chat = this.mirrors[this.users.indexOf(user)]?.chats.get(room.id);
    const listed = chats.find(({ chatId }) => chatId === room.id);
    if (listed !== undefined) expect(listed).toEqual(chat);
    const pages = [];
    let before = '';
    for (let hasMore = true; hasMore;) {
      const page = await readChatroom(user, room.id, `?limit=${pageSize}${before}`);
      expect(page).toMatchObject({
        partnerName: partner ?? DELETED_USER,
        unreadMessagesCount: unread,
      });
      expect(page.chat).toEqual(chat);
      pages.unshift(page.chatroomMessages);
      before = `&before=${page.chatroomMessages[0]?.seq ?? 1}`;
      ({ hasMore } = page);
    }
    expect(pages.flat()).toHaveLength(visible.length);
    expect(pages.flat()).toMatchObject(this.expectedMessages(room, user.username));
    expect(pages.flat().map(({ reactions }) => reactions)).toEqual(
      visible.map((m) => this.model.reactions(m, user.username)),
    );
    this.expectOrigins(pages.flat(), visible, room, user.username);
  }

  /** Expects of messages to quote what the user sees, to be of their albums, and to be marked as forwarded. */
  expectOrigins(
    messages: readonly Message[],
    expected: readonly (ModelMessage | undefined)[],
    room: ModelChatroom,
    username: string,
  ): void {
    const found = messages.map(({ replyTo, albumId, isForwarded = false }) => ({
      quote: replyTo && pickQuote(replyTo),
      albumId,
      isForwarded,
    }));
    const wanted = expected.map((sent) => ({
      quote: sent && this.model.quote(room, sent, username),
      albumId: sent?.albumId,
      isForwarded: sent?.isForwarded,
    }));
    expect(found).toEqual(wanted);
  }
}

interface SendOptions {
  readonly replyTo?: number | null;
  readonly album?: number | null;
  readonly isForwarded?: boolean;
}

function pickQuote({ messageId, username, content }: Quote): object {
  return { messageId, username, content };
}

/** Returns only the user's own reactions, or undefined if there are none. */
function withoutOthers(reactions: Message['reactions'], username: string): Message['reactions'] {
  const own = (reactions ?? []).flatMap(({ emoji, usernames }) =>
    usernames.includes(username) ? [{ emoji, usernames: [username] }] : [],
  );
  return own.length === 0 ? undefined : own;
}

/** Starts a history in which the first two users have accepted each other. */
async function beginAccepted(): Promise<History> {
  const history = new History();
  await history.begin();
  const [first, second] = [history.user(0), history.user(1)];
  await history.send(first, second, 'first');
  await history.changeConsent(second, 0, 'accept');
  await history.checkMemberRevs(() => true);
  return history;
}

test('matches the model after any history of sending, replying, changing, reading, reacting, settings, consent, blocks and deletion of chats and accounts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }),
      fc.integer({ min: 1, max: 9 }),
      async (steps, pageSize) => {
        const history = new History();
        await history.begin();
        for (const each of steps) await history.take(each);
        await history.check(pageSize);
      },
    ),
    { numRuns: 25, endOnFailure: true },
  );
}, 120_000);

test('matches the model after any change of chat settings among messages, reads and blocks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(stepInAcceptedChat, { minLength: 10, maxLength: 60, size: 'max' }),
      async (each) => {
        const history = await beginAccepted();
        for (const one of each) await history.take({ ...one, who: one.who % 2 });
        await history.check(9);
      },
    ),
    { numRuns: 15, endOnFailure: true },
  );
}, 120_000);

/** What the other users leave out in the twin of a history. */
type IsOmitted = (history: History, each: Step, isRefused: boolean) => boolean;

/**
 * Runs random histories, and each again as a twin in which the other users leave out some steps. The
 * first user must receive the same in both.
 */
async function expectSameTwins(
  isOmitted: IsOmitted,
  {
    numRuns,
    begin,
    isSkipped = () => false,
    steps: arbitrary = step,
  }: {
    numRuns: number;
    begin?: (history: History) => Promise<void>;
    /** Returns whether both leave out a step. */
    isSkipped?: (history: History, each: Step) => boolean;
    steps?: fc.Arbitrary<Step>;
  },
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.array(arbitrary, { minLength: 5, maxLength: 60, size: 'max' }),
      fc.integer({ min: 1, max: 9 }),
      async (steps, pageSize) => {
        const history = new History();
        await history.begin();
        await begin?.(history);
        const omitted = new Set<Step>();
        for (const each of steps) {
          if (each.who !== 0 && isSkipped(history, each)) {
            omitted.add(each);
            continue;
          }
          const mayOmit = each.who !== 0 && isOmitted(history, each, false);
          const isRefused = await history.tryStep(each);
          if (mayOmit || (each.who !== 0 && isOmitted(history, each, isRefused))) omitted.add(each);
        }
        await history.check(pageSize);

        const twin = new History();
        await twin.begin();
        await begin?.(twin);
        for (const each of steps) if (!omitted.has(each)) await twin.take(each);
        await twin.check(pageSize);
        expect(history.sent()).toBe(twin.sent());
      },
    ),
    { numRuns, endOnFailure: true },
  );
}

function withoutReply(each: Step): Step {
  return each.do === 'send' ? { ...each, replyTo: null } : each;
}

test(
  'sends a user the same whether or not the others decline, block and delete chats',
  { tags: ['postgres'] },
  async () => {
    // The other users neither do this nor what they could not do because of it. They share no receipts, which a block
    // ends, and reply to nothing, which they may see no more.
    await expectSameTwins(
      (_history, each, isRefused) =>
        isRefused || ['decline', 'block', 'unblock', 'share', 'delete-chat'].includes(each.do),
      {
        numRuns: 6,
        steps: step
          .filter((each) => each.do !== 'share' || each.who === 0)
          .map((each) => (each.who === 0 ? each : withoutReply(each))),
        begin: async (history) => {
          for (const user of history.users.slice(1)) await history.share(user, false);
        },
      },
    );
  },
);

test(
  'sends a user the same receipts whether the others block or stop reading',
  { tags: ['postgres'] },
  async () => {
    await expectSameTwins(
      (history, each, isRefused) =>
        isRefused ||
        each.do === 'block' ||
        (['read', 'deliver'].includes(each.do) && history.isInBlockedChatroom(each)),
      {
        numRuns: 10,
        // Accepting is told, and what was read before only without the block.
        isSkipped: (history, each) => each.do === 'accept' && history.isInBlockedChatroom(each),
        steps: step.filter(
          (each) => each.who === 0 || (each.do !== 'unblock' && each.do !== 'decline'),
        ),
      },
    );
  },
);
