import {
  acceptsFirstMessages,
  DELETED_USER,
  NEW_CHATROOM,
  usernameKey,
  type ChatList,
  type Chatroom,
  type CreateChatroomBody,
  type FindUserResponse,
  type PageQuery,
} from '@parley/contract';
import {
  compareViewedChats,
  findOwnChat,
  listChatStates,
  lockChatroom,
  tellMemberChange,
  toViewedChat,
  type ChatStateRow,
} from '../chat-states/chat-state.service.ts';
import type { Context } from '../context.ts';
import {
  canFind,
  hasAccepted,
  hasChatroom,
  isQuietRequest,
} from '../relationships/relationship.ts';
import { newId } from '../storage/ids.ts';
import { findRelationshipTo, type KnownPair } from '../storage/relationships.ts';
import { Rollback, type Reader } from '../storage/storage.ts';
import { AppError } from '../errors/app-error.ts';
import type { ViewedChat, ViewedMessage } from '../viewed-message.ts';
import { readPage } from '../messages/history.service.ts';
import { takeTurn } from '../scheduling/time-slices.ts';
import type { MessageBody } from '../messages/message-body.ts';
import { postMessage } from '../messages/message.service.ts';
import { tellReceipt } from '../receipts/receipt.service.ts';
import { relistChat } from './chat-deletion.service.ts';
import { acceptRequest, updateMember } from './consent.service.ts';
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
): Promise<{ partner: repository.PartnerRow; pair: KnownPair | undefined }> {
  const partner = await repository.findPartner(db, usernameKey(username));
  const pair = await findRelationshipTo(db, userId, partner?.id ?? NO_USER_ID);
  if (partner?.id === userId) throw new AppError(self);
  if (partner === undefined || !canFind(partner, pair)) throw new AppError('user_not_found');
  if (pair !== undefined && pair.blocked_at !== null) throw new AppError('partner_blocked');
  return { partner, pair };
}

/**
 * Finds a user by username, with the id of the chatroom that the current user shares with them, if
 * any. Accepts the messages of one who has written first. Lists a chat again that the current user has deleted.
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
  if (pair.is_removed === 1) {
    await ctx.storage.write((write) => relistChat(write, userId, chatroom), { isConcurrent: true });
  }
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
  const sent = await ctx.storage.write(async (write) => {
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
    const isNewChatroom = pair === undefined;
    const result = await postMessage(ctx, write, userId, send, body, isNewChatroom);
    return result.isNew ? result : new Rollback(result);
  });
  return sent.message.chatroom;
}

/** A chat list, before it gets its wire format. */
type ViewedChatList = Omit<ChatList, 'chatrooms'> & { chatrooms: ViewedChat[] };

/**
 * Returns the chat list of a user, newest message first, with pinned chats first and chatrooms of
 * deleted partners last.
 * It is read in batches with a turn of the event loop between them, so it is not a consistent
 * snapshot.
 * @throws {AppError} `unauthenticated` if the account has just been deleted.
 */
export async function listChats(ctx: Context, userId: string): Promise<ViewedChatList> {
  const user = await ctx.storage.read((db) => repository.findCurrentUser(db, { userId }));
  if (user === undefined) throw new AppError('unauthenticated');
  const rows: ChatStateRow[] = [];
  for (;;) {
    const range = { userId, afterId: rows.at(-1)?.id ?? '', limit: LIST_BATCH_SIZE };
    const batch = await ctx.storage.read((db) => listChatStates(db, range));
    rows.push(...batch);
    if (batch.length < LIST_BATCH_SIZE) break;
    await takeTurn();
  }
  return {
    chatrooms: rows.map((row) => toViewedChat(row)).toSorted(compareViewedChats),
    currentUsername: user.username,
    volume: user.volume,
  };
}

/** A chatroom with a page of messages, before it gets its wire format. */
type ViewedChatroom = Omit<Chatroom, 'chat' | 'chatroomMessages'> & {
  chat: ViewedChat;
  chatroomMessages: ViewedMessage[];
};

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
): Promise<ViewedChatroom> {
  // A single read, so that revision, counts and messages are consistent.
  const { user, row, page } = await ctx.storage.read(async (db) => {
    const user = await repository.findCurrentUser(db, { userId });
    const row = await findOwnChat(db, userId, chatroomId);
    if (user === undefined) throw new AppError('room_not_found');
    const { partner_id: partnerId, cleared_seq: clearedSeq, own_cleared_seq: ownClearedSeq } = row;
    const viewer = { chatroomId, viewerId: userId, partnerId, clearedSeq, ownClearedSeq };
    const page = await readPage(db, viewer, query);
    return { user, row, page };
  });
  return {
    chat: toViewedChat(row),
    chatroomMessages: page.messages,
    currentUsername: user.username,
    partnerName: row.partner_name ?? DELETED_USER,
    unreadMessagesCount: row.unread,
    volume: user.volume,
    hasMore: page.hasMore,
    ...(page.hasNewer && { hasNewer: true }),
  };
}

/** Like {@link getChatroom}, but returns undefined if the user does not have the chatroom. */
export async function findChatroom(
  ...args: Parameters<typeof getChatroom>
): Promise<ViewedChatroom | undefined> {
  try {
    return await getChatroom(...args);
  } catch (error) {
    if (error instanceof AppError && error.code === 'room_not_found') return undefined;
    throw error;
  }
}

/**
 * Advances the user's read position to `seq`, or to the newest message. Never moves it back. Clears
 * the mark as unread if the user has read further, or everything. Returns the state of the chat.
 * @throws {AppError} `room_not_found`
 */
export async function markAsRead(
  ctx: Context,
  userId: string,
  chatroomId: string,
  seq = Number.MAX_SAFE_INTEGER,
): Promise<ViewedChat> {
  // Usually nothing changes, and this read is enough.
  const known = await ctx.storage.read((db) => findOwnChat(db, userId, chatroomId));
  if (!isReadNew(known, seq)) return toViewedChat(known);
  return ctx.storage.write(
    async (write) => {
      const { trx } = write;
      await lockChatroom(trx, { chatroomId });
      const row = await findOwnChat(trx, userId, chatroomId);
      if (!isReadNew(row, seq)) return new Rollback(toViewedChat(row));
      const readSeq = Math.max(Math.min(seq, row.last_seq), row.read_seq);
      await updateMember(trx, chatroomId, userId, { read_seq: readSeq, is_marked_unread: 0 });
      if (readSeq > row.read_seq) await tellReceipt(write, chatroomId, userId, { readSeq });
      return (await tellMemberChange(write, { chatroomId, userId })) ?? toViewedChat(row);
    },
    { isConcurrent: true },
  );
}

/** Returns whether reading up to `seq` changes something: the read position, or the mark as unread. */
function isReadNew(
  { is_marked_unread: isMarked, last_seq: lastSeq, read_seq: readSeq }: ChatStateRow,
  seq: number,
): boolean {
  return Math.min(seq, lastSeq) > readSeq || (isMarked === 1 && seq >= Number.MAX_SAFE_INTEGER);
}
