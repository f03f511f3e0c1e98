import { createHash } from 'node:crypto';

/** A chatroom on one of the known servers. */
export interface ServerChatroom {
  /** Origin of the server. */
  server: string;
  chatroomId: string;
}

/** Matches a chatroom id that fits into the 64 characters that Windows allows, after the server's prefix and a dot. */
const CHATROOM_ID = /^[\w-]{1,55}$/;
const PREFIX_LENGTH = 8;

/** Returns the id that groups the notifications of a server. */
export function getGroupId(server: string): string {
  return createHash('sha256').update(server).digest('hex').slice(0, 32);
}

/**
 * Returns the id of a chatroom's notification. Contains the chatroom's id if it matches
 * `CHATROOM_ID`, so that a click opens the chatroom even after the app that showed the notification has quit.
 */
export function getNotificationId({ server, chatroomId }: ServerChatroom): string {
  const prefix = getGroupId(server).slice(0, PREFIX_LENGTH);
  if (CHATROOM_ID.test(chatroomId)) return `${prefix}.${chatroomId}`;
  return createHash('sha256').update(`${server} ${chatroomId}`).digest('hex').slice(0, 32);
}

/** Finds the chatroom in a notification's id. Returns undefined for an id without one and for an unknown server. */
export function findChatroomOfNotification(
  id: string,
  servers: readonly string[],
): ServerChatroom | undefined {
  const [prefix = '', chatroomId = '', ...rest] = id.split('.');
  if (rest.length > 0 || !CHATROOM_ID.test(chatroomId)) return undefined;
  const server = servers.find((origin) => getGroupId(origin).slice(0, PREFIX_LENGTH) === prefix);
  return server === undefined ? undefined : { server, chatroomId };
}
