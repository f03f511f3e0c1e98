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
import { hasFields, isListOf, isNumber, isText, validateResponse } from './responses.ts';
import type { ApiClient, Tagged } from './client.ts';

/** Fetches all chats of the current user, newest first; undefined if they are still those of `etag`. */
export async function fetchChats(
  api: ApiClient,
  etag: string | undefined,
  signal: AbortSignal,
): Promise<Tagged<ChatList> | undefined> {
  const response = await api.callIfChanged('listChats', etag, { signal });
  if (response === undefined) return undefined;
  const body = validateResponse(response.body, {
    chatrooms: isListOf({ chatId: isText, usernames: Array.isArray, timestamps: Array.isArray }),
    currentUsername: isText,
  });
  return { ...response, body };
}

/**
 * A room with one page of its messages: the newest, or those before a `seq`.
 * @throws {ApiError} `unreadable` for a response that is no chatroom.
 */
export async function fetchChatroom(
  api: ApiClient,
  chatroomId: string,
  page: PageQuery = {},
  signal?: AbortSignal,
): Promise<Chatroom> {
  const response = await api.call('getChatroom', {
    params: { id: chatroomId },
    query: page,
    signal,
  });
  return validateResponse(response, {
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

/** Looks a user up by username: the chatroom that the two have, or that they have none. */
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
  chatroomId: string,
  seq?: number,
): Promise<MarkAsReadResponse> {
  const params = { id: chatroomId };
  return api.call('markAsRead', seq === undefined ? { params } : { params, body: { seq } });
}

/** What changed in rooms since the revisions that this client has. */
export function fetchChanges(api: ApiClient, body: ChangesBody): Promise<Changes> {
  return api.call('listChanges', { body });
}
