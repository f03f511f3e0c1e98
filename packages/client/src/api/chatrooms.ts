import type {
  Changes,
  ChangesBody,
  ChatList,
  Chatroom,
  CreateChatroomResponse,
  CreateChatroomBody,
  FindUserResponse,
  MarkAsReadResponse,
  PageQuery,
} from '@parley/contract';
import { hasFields, isListOf, isNumber, isText, readable } from './answers.ts';
import type { ApiClient, Tagged } from './client.ts';

/** All chats of the signed-in person, newest first; undefined if they are still those of `etag`. */
export async function fetchChats(
  api: ApiClient,
  etag: string | undefined,
  signal: AbortSignal,
): Promise<Tagged<ChatList> | undefined> {
  const answer = await api.callIfChanged('listChats', etag, { signal });
  if (answer === undefined) return undefined;
  const body = readable(answer.body, {
    chatrooms: isListOf({ chatId: isText, usernames: Array.isArray, timestamps: Array.isArray }),
    currentUsername: isText,
  });
  return { ...answer, body };
}

/**
 * A room with one page of its messages: the newest, or those before a `seq`.
 * @throws {ApiError} `unreadable` for an answer that is no room.
 */
export async function fetchChatroom(
  api: ApiClient,
  chatId: string,
  page: PageQuery = {},
  signal?: AbortSignal,
): Promise<Chatroom> {
  const answer = await api.call('getChatroom', { params: { id: chatId }, query: page, signal });
  return readable(answer, {
    chatroomMessages: isListOf({
      _id: isText,
      content: isText,
      seq: isNumber,
      sender: (sender) => hasFields(sender, { username: isText }),
    }),
    currentUsername: isText,
    partnerName: isText,
    unreadMessagesCount: isNumber,
  });
}

/** Looks a person up by username: the room that the two have, or that they have none. */
export function findUser(api: ApiClient, username: string): Promise<FindUserResponse> {
  return api.call('findUser', { body: { username } });
}

/** Opens a room with its first message; a room that exists already is used. */
export function createChatroom(
  api: ApiClient,
  body: CreateChatroomBody,
): Promise<CreateChatroomResponse> {
  return api.call('createChatroom', { body });
}

/** Marks a room as read up to `seq`, or up to its newest message. */
export function markAsRead(
  api: ApiClient,
  chatId: string,
  seq?: number,
): Promise<MarkAsReadResponse> {
  const params = { id: chatId };
  return api.call('markAsRead', seq === undefined ? { params } : { params, body: { seq } });
}

/** What changed in rooms since the revisions that this client has. */
export function fetchChanges(api: ApiClient, body: ChangesBody): Promise<Changes> {
  return api.call('listChanges', { body });
}
