import type {
  Changes,
  ChangesBody,
  ChatList,
  Chatroom,
  CreateChatroomAnswer,
  CreateChatroomBody,
  FindUserAnswer,
  MarkAsReadAnswer,
  PageQuery,
} from '@parley/contract';
import type { ApiClient } from './client.ts';

/** All chats of the signed-in person, newest first. */
export function fetchChats(api: ApiClient, signal?: AbortSignal): Promise<ChatList> {
  return api.get('api/chatrooms/chats', signal ? { signal } : {});
}

/** A room with one page of its messages: the newest, or those before a `seq`. */
export function fetchChatroom(
  api: ApiClient,
  chatId: string,
  page: PageQuery = {},
  signal?: AbortSignal,
): Promise<Chatroom> {
  const searchParams = { ...page };
  return api.get(`api/chatrooms/chats/${encodeURIComponent(chatId)}`, {
    searchParams,
    ...(signal && { signal }),
  });
}

/** Looks a person up by username: the room that the two have, or that they have none. */
export function findUser(api: ApiClient, username: string): Promise<FindUserAnswer> {
  return api.post('api/chatrooms/exist', { username });
}

/** Opens a room with its first message; a room that exists already is used. */
export function createChatroom(
  api: ApiClient,
  body: CreateChatroomBody,
): Promise<CreateChatroomAnswer> {
  return api.post('api/chatrooms/create', body);
}

/** Marks a room as read up to `seq`, or up to its newest message. */
export function markAsRead(
  api: ApiClient,
  chatId: string,
  seq?: number,
): Promise<MarkAsReadAnswer> {
  const path = `api/chatrooms/chats/${encodeURIComponent(chatId)}/mark-as-read`;
  return api.post(path, seq === undefined ? undefined : { seq });
}

/** What changed in rooms since the revisions that this client has. */
export function fetchChanges(api: ApiClient, body: ChangesBody): Promise<Changes> {
  return api.post('api/chatrooms/changes', body);
}
