import {
  acceptsFirstMessages,
  compareChats,
  DELETED_USER,
  NEW_CHATROOM,
  usernameKey,
  type ChatList,
  type ChatSortKey,
  type Chatroom,
  type ChatSummary,
  type CreateChatroomBody,
  type FindUserResponse,
  type MarkAsReadResponse,
  type PageQuery,
} from '@parley/contract';
import type { Context } from '../context.ts';
import {
  canFind,
  hasAccepted,
  hasChatroom,
  isQuietRequest,
} from '../relationships/relationship.ts';
import { newId } from '../storage/ids.ts';
import { findRelationshipTo, type Relationship } from '../storage/relationships.ts';
import { Rollback, type Reader } from '../storage/storage.ts';
import { AppError } from '../errors/app-error.ts';
import type { ViewedContent, ViewedMessage } from '../viewed-message.ts';
import { readPage, setReadSeq } from '../messages/history.service.ts';
import { takeTurn } from '../scheduling/time-slices.ts';
import type { MessageBody } from '../messages/message-body.ts';
import { postMessage } from '../messages/message.service.ts';
import { toContent, toTimestamp } from '../messages/message-view.service.ts';
import { tellReceipt, toReceiptFields } from '../receipts/receipt.service.ts';
import { toLastReaction } from '../messages/reaction.service.ts';
import { clearUnreadMark } from './chat-settings.service.ts';
import { toSettingsField } from './chat-settings.wire.ts';
import { acceptRequest } from './consent.service.ts';
import { toSentAsRequestField, toStatusFields } from './member-status.ts';
import * as repository from './chatroom.repository.ts';

/**
 * Number of chatrooms to read per turn of the event loop. Each may have thousands of unread
 * messages to count.
 */
const LIST_BATCH_SIZE = 25;

/** An id that no user has. */
const NO_USER_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Finds the user with a username and the chatroom that the current user has with them. A user who
 * cannot be found by others exists only for those who share a chatroom with them. All failures take
 * the same queries, so that a user who exists cannot be distinguished from one who does not.
 * @throws {AppError} `self`, `user_not_found`, `partner_blocked`
 */
async function findPartnerAndPair(
  db: Reader,
  userId: string,
  username: string,
  self: 'self_search' | 'self_chat',
): Promise<{ partner: repository.PartnerRow; pair: Relationship | undefined }> {
  const partner = await repository.findPartner(db, usernameKey(username));
  const pair = await findRelationshipTo(db, userId, partner?.id ?? NO_USER_ID);
  if (partner?.id === userId) throw new AppError(self);
  if (partner === undefined || !canFind(partner, pair)) throw new AppError('user_not_found');
  if (pair !== undefined && pair.blocked_at !== null) throw new AppError('partner_blocked');
  return { partner, pair };
}

/**
 * Finds a user by username, with the id of the chatroom that the current user shares with them, if
 * any. Accepts the messages of one who has written first.
 * @throws {AppError} `self_search`, `user_not_found`, `partner_blocked`
 */
export async function findUser(
  ctx: Context,
  userId: string,
  username: string,
): Promise<FindUserResponse> {
  const { partner, pair } = await ctx.storage.read((db) =>
    findPartnerAndPair(db, userId, username, 'self_search'),
  );
  const partnerName = partner.username;
  if (pair === undefined) {
    const isClosed = !acceptsFirstMessages(partner.who_may_write);
    return { chatroom: NEW_CHATROOM, partnerName, ...(isClosed && { isClosed }) };
  }
  const { chatroom_id: chatroom } = pair;
  if (!hasChatroom(pair)) return { chatroom: NEW_CHATROOM, partnerName };
  if (!hasAccepted(pair)) await acceptRequest(ctx, userId, chatroom);
  const wasRequest = isQuietRequest(pair);
  return { chatroom, partnerName, ...(wasRequest && { wasRequest }) };
}

/**
 * Sends a first message, creating the chatroom if the two users have none yet. The partner has not accepted the user
 * then. Returns the chatroom's id.
 * @throws {AppError} `unauthenticated`, `self_chat`, `user_not_found`, `partner_blocked`, `not_accepting_messages`,
 * `rate_limited`, `message_not_found` for a retried message that was deleted in the meantime, or `media_not_found`
 * without an unsent upload with this id.
 */
export async function createChatroom(
  ctx: Context,
  userId: string,
  { partnerName, clientId }: Pick<CreateChatroomBody, 'partnerName' | 'clientId'>,
  body: MessageBody,
): Promise<string> {
  await ctx.disk.assertSpaceForMessage();
  return ctx.storage.write(async (write) => {
    const { trx } = write;
    if ((await repository.findCurrentUser(trx, { userId })) === undefined) {
      throw new AppError('unauthenticated');
    }
    const { partner, pair } = await findPartnerAndPair(trx, userId, partnerName, 'self_chat');
    const chatroomId = pair?.chatroom_id ?? newId();
    if (pair === undefined) {
      if (!acceptsFirstMessages(partner.who_may_write))
        throw new AppError('not_accepting_messages');
      await repository.insertChatroom(trx, {
        id: chatroomId,
        userId,
        partnerId: partner.id,
        partnerConsent: 'requested',
        now: Date.now(),
      });
    }
    const send = { chatroom: chatroomId, ...(clientId !== undefined && { clientId }) };
    const isNewRoom = pair === undefined;
    const { message, isNew } = await postMessage(ctx, write, userId, send, body, isNewRoom);
    return isNew ? chatroomId : new Rollback(message.chatroom);
  });
}

/** Converts content to its wire format. */
type ToWire = (content: ViewedContent) => string;

/**
 * Returns the chat list of a user, newest message first, with pinned chats first and chatrooms of
 * deleted partners last.
 * It is read in batches with a turn of the event loop between them, so it is not a consistent
 * snapshot.
 * @throws {AppError} `unauthenticated` if the account has just been deleted.
 */
export async function listChats(ctx: Context, userId: string, toWire: ToWire): Promise<ChatList> {
  const user = await ctx.storage.read((db) => repository.findCurrentUser(db, { userId }));
  if (user === undefined) throw new AppError('unauthenticated');
  const rows: repository.ChatListRow[] = [];
  for (;;) {
    const range = { userId, afterId: rows.at(-1)?.id ?? '', limit: LIST_BATCH_SIZE };
    const batch = await ctx.storage.read((db) => repository.findChatListRows(db, range));
    rows.push(...batch);
    if (batch.length < LIST_BATCH_SIZE) break;
    await takeTurn();
  }
  return {
    chatrooms: rows.map((row) => toSummary(row, userId, toWire)).toSorted(compareSummaries),
    currentUsername: user.username,
    volume: user.volume,
  };
}

function compareSummaries(a: ChatSummary, b: ChatSummary): number {
  return compareChats(toSortKey(a), toSortKey(b));
}

function toSortKey({ chatId, isDeletedAccount, activeAt, settings }: ChatSummary): ChatSortKey {
  const isPinned = settings?.isPinned ?? false;
  return { id: chatId, isDeleted: isDeletedAccount, isPinned, activeAt };
}

function toSummary(
  row: repository.ChatListRow,
  currentUserId: string,
  toWire: ToWire,
): ChatSummary {
  const { seq, kind, content, sender_id: sender, file } = row;
  return {
    chatId: row.id,
    usernames: row.partner_name === null ? [] : [row.partner_name],
    isDeletedAccount: row.partner_name === null,
    lastMessage:
      seq === null || kind === null || content === null || sender === null
        ? null
        : { content: toWire(toContent({ content, file })), sender, kind, seq },
    currentUserId,
    timestamps: row.sent_at === null ? [] : [toTimestamp(row.sent_at)],
    activeAt: toTimestamp(row.sent_at ?? row.created_at),
    unreadMessagesCount: row.unread,
    rev: row.last_rev,
    ...toStatusFields(row),
    ...toReceiptFields(row),
    ...toReactionField(row),
    ...toSettingsField(row),
  };
}

/** Returns the partner's latest reaction, unless a message is newer. */
function toReactionField(row: repository.ChatListRow): Pick<ChatSummary, 'lastReaction'> {
  const { reaction_emoji: emoji, reaction_at: at, reaction_seq: seq } = row;
  const { reacted_id: id, reacted_kind: kind, reacted_content: content, seq: newest } = row;
  const isMissing = emoji === null || at === null || id === null || kind === null;
  if (row.partner_name === null || isMissing || (newest ?? 0) > (seq ?? 0)) return {};
  const reacted = { id, kind, content: content ?? '', emoji, reacted_at: at };
  return { lastReaction: toLastReaction(reacted) };
}

/**
 * Returns a chatroom with a page of messages: the newest, or those before, after or around a `seq`. A
 * page with long messages may contain fewer than `limit` messages.
 * @throws {AppError} `room_not_found`
 */
export async function getChatroom(
  ctx: Context,
  userId: string,
  chatroomId: string,
  query: PageQuery,
): Promise<Omit<Chatroom, 'chatroomMessages'> & { chatroomMessages: ViewedMessage[] }> {
  // A single read, so that revision, counts and messages are consistent.
  const { user, chatroom, page } = await ctx.storage.read(async (db) => {
    const user = await repository.findCurrentUser(db, { userId });
    const chatroom = await repository.findChatroom(db, { chatroomId, userId });
    if (chatroom === undefined || user === undefined) throw new AppError('room_not_found');
    const { partner_id: partnerId, cleared_seq: clearedSeq } = chatroom;
    const viewer = { chatroomId, viewerId: userId, partnerId, clearedSeq };
    const page = await readPage(db, viewer, query);
    return { user, chatroom, page };
  });
  return {
    chatroomMessages: page.messages,
    currentUsername: user.username,
    partnerName: chatroom.partner_name ?? DELETED_USER,
    unreadMessagesCount: chatroom.unread,
    volume: user.volume,
    hasMore: page.hasMore,
    ...(page.hasNewer && { hasNewer: true }),
    readSeq: chatroom.read_seq,
    rev: chatroom.last_rev,
    ...toStatusFields(chatroom),
    ...toSentAsRequestField(chatroom),
    ...toReceiptFields(chatroom),
  };
}

/**
 * Advances the user's read position to `seq`, or to the newest message. Never moves it back. Clears
 * the mark as unread if the user has read further, or everything.
 * @throws {AppError} `room_not_found`
 */
export async function markAsRead(
  ctx: Context,
  userId: string,
  chatroomId: string,
  seq = Number.MAX_SAFE_INTEGER,
): Promise<MarkAsReadResponse> {
  // Usually nothing changes, and this read is enough.
  const known = await ctx.storage.read((db) => findReadState(db, userId, chatroomId, seq));
  if (known !== undefined) return known;
  return ctx.storage.write(
    async (write) => {
      const { trx, emit } = write;
      await repository.lockChatroom(trx, { chatroomId });
      const unchanged = await findReadState(trx, userId, chatroomId, seq);
      if (unchanged !== undefined) return unchanged;
      const room = await findOwnRoom(trx, userId, chatroomId);
      if (room.is_marked_unread === 1) await clearUnreadMark(write, userId, room);
      const readSeq = Math.min(seq, room.last_seq);
      const hasMoved = readSeq !== room.read_seq;
      if (hasMoved) {
        await setReadSeq(trx, { chatroomId, userId, seq: readSeq });
        await tellReceipt(write, chatroomId, userId, { readSeq });
      }
      const unread = await countUnread(trx, userId, { ...room, read_seq: readSeq });
      const { last_rev: rev } = room;
      if (hasMoved) emit({ type: 'chatroom-read', userId, chatroomId, readSeq, unread, rev });
      return { readSeq, unreadMessagesCount: unread };
    },
    { isConcurrent: true },
  );
}

/** Returns the response to reading up to `seq` if that changes nothing. */
async function findReadState(
  db: Reader,
  userId: string,
  chatroomId: string,
  seq: number,
): Promise<MarkAsReadResponse | undefined> {
  const room = await findOwnRoom(db, userId, chatroomId);
  if (isReadNew(room, seq)) return undefined;
  return { readSeq: room.read_seq, unreadMessagesCount: await countUnread(db, userId, room) };
}

async function findOwnRoom(
  db: Reader,
  userId: string,
  chatroomId: string,
): Promise<repository.MembershipRow> {
  const room = await repository.findMembership(db, { chatroomId, userId });
  if (room === undefined) throw new AppError('room_not_found');
  return room;
}

async function countUnread(
  db: Reader,
  userId: string,
  { id, read_seq: readSeq, last_seq: lastSeq }: repository.MembershipRow,
): Promise<number> {
  if (readSeq >= lastSeq) return 0;
  return (await repository.findChatroom(db, { chatroomId: id, userId }))?.unread ?? 0;
}

/** Returns whether reading up to `seq` changes something: the read position, or the mark as unread. */
function isReadNew(
  { is_marked_unread: isMarked, last_seq: lastSeq, read_seq: readSeq }: repository.MembershipRow,
  seq: number,
): boolean {
  return Math.min(seq, lastSeq) > readSeq || (isMarked === 1 && seq >= Number.MAX_SAFE_INTEGER);
}
