import { createApiClient, type ApiClient } from '@parley/client';
import type { Message } from '@parley/contract';
import {
  createMemoryServer,
  type LiveConnection,
  type LiveListener,
  type MemoryServer,
} from '@parley/memory-server';
import type { TestLanguage } from '@parley/texts/translator';

/** Creates a server with these users for `openApp`. */
export function createServerWith(
  usernames: readonly string[],
  language: TestLanguage = 'en',
): MemoryServer {
  const server = createMemoryServer(location.origin);
  for (const username of usernames) server.addUser({ username, language });
  return server;
}

/** Returns the API as a user, or a guest, calls it in a browser that the test does not show. */
export function actAs(server: MemoryServer, username?: string): ApiClient {
  return createApiClient({ origin: server.origin, fetch: server.openBrowser(username).fetch });
}

/** Opens the live connection of a user's browser that the test does not show. */
export function connectAs(
  server: MemoryServer,
  username: string,
  onEvent: LiveListener['onEvent'] = () => undefined,
): LiveConnection | undefined {
  return server.openBrowser(username).connect({ onEvent, onClose: () => undefined });
}

/**
 * Creates the chatroom of two users with the first user's message. The second user accepts it, unless it is to stay a
 * quiet request or undecided. Returns the chatroom's id.
 */
export async function createChatBetween(
  server: MemoryServer,
  [sender, recipient]: readonly [string, string],
  content = `Hello ${recipient}!`,
  { isRequest = false, isUndecided = false } = {},
): Promise<string> {
  if (isRequest) {
    await actAs(server, recipient).call('changeSettings', { body: { whoMayWrite: 'requests' } });
  }
  const { chatroomId } = await actAs(server, sender).call('createChatroom', {
    body: { partnerName: recipient, content, clientId: crypto.randomUUID() },
  });
  if (!isRequest && !isUndecided) {
    await actAs(server, recipient).call('acceptChat', { params: { id: chatroomId } });
  }
  return chatroomId;
}

/** Sends a text as a user. Returns the message's id. */
export async function sendTextAs(
  server: MemoryServer,
  username: string,
  chatroom: string,
  content: string,
): Promise<string> {
  const clientId = crypto.randomUUID();
  const message = await actAs(server, username).call('sendMessage', {
    body: { chatroom, content, clientId },
  });
  return message._id;
}

/** Returns a chatroom's newest messages as a user sees them, oldest first. */
export async function messagesSeenBy(
  server: MemoryServer,
  username: string,
  id: string,
): Promise<Message[]> {
  const chatroom = await actAs(server, username).call('getChatroom', { params: { id } });
  return chatroom.chatroomMessages;
}

/** Returns the contents of these messages. */
export async function contentsSeenBy(
  ...[server, username, id]: Parameters<typeof messagesSeenBy>
): Promise<string[]> {
  const messages = await messagesSeenBy(server, username, id);
  return messages.map(({ content }) => content);
}
