// Calls whose responses the screens and the offline copy depend on. Other endpoints need no function:
// `api.call('login', { body })`.
import type { ChatList, Chatroom, CurrentUser, PageQuery } from '@parley/contract';
import type { ApiClient, Tagged } from './client.ts';
import { createListCheck, hasFields, isNumber, isText, validateResponse } from './responses.ts';

/** Fetches the current user. Rejects with `unauthenticated` for a guest. */
export async function fetchCurrentUser(api: ApiClient): Promise<CurrentUser> {
  return validateResponse(await api.call('getCurrentUser'), { username: isText });
}

/**
 * Fetches the chat list of the current user, the newest chat first. Resolves to undefined if the
 * list still matches `etag`.
 */
export async function fetchChats(
  api: ApiClient,
  etag: string | undefined,
  signal: AbortSignal,
): Promise<Tagged<ChatList> | undefined> {
  const response = await api.callIfChanged('listChats', etag, { signal });
  if (response === undefined) return undefined;
  const body = validateResponse(response.body, {
    chatrooms: createListCheck({
      chatId: isText,
      usernames: Array.isArray,
      timestamps: Array.isArray,
    }),
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
    chatroomMessages: createListCheck({
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
