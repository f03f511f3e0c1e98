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

/**
 * Fetches the chat list of the current user, newest first. Resolves to undefined if it still
 * matches `etag`.
 */
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
 * Fetches a chatroom with a page of messages: the newest, or those before a `seq`.
 * @throws {ApiError} `unreadable` if the response is not a chatroom.
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

/** Finds a user by username, with the chatroom that they share with the current user, if any. */
export function findUser(api: ApiClient, username: string): Promise<FindUserResponse> {
  return api.call('findUser', { body: { username } });
}

/** Creates a chatroom with its first message, or sends the message to the existing one. */
export function createChatroom(
  api: ApiClient,
  body: CreateChatroomBody,
): Promise<CreateChatroomResponse> {
  return api.call('createChatroom', { body });
}

/** Marks a chatroom as read up to `seq`, or up to its newest message. */
export function markAsRead(
  api: ApiClient,
  chatroomId: string,
  seq?: number,
): Promise<MarkAsReadResponse> {
  const params = { id: chatroomId };
  return api.call('markAsRead', seq === undefined ? { params } : { params, body: { seq } });
}

/** Fetches the changes of chatrooms since the client's revisions. */
export function fetchChanges(api: ApiClient, body: ChangesBody): Promise<Changes> {
  return api.call('listChanges', { body });
}
