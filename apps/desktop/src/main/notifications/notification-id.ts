import { createHash } from 'node:crypto';

/** A room of one of the known servers. */
export interface ServerChatroom {
  /** Origin of the server. */
  server: string;
  chatroom: string;
}

/** Windows takes at most 64 characters; a server's mark and a dot are taken off. */
const CHATROOM_ID = /^[\w-]{1,55}$/;
const MARK_LENGTH = 8;

/** Id of the group of all notifications of one server. */
export function groupIdOf(server: string): string {
  return createHash('sha256').update(server).digest('hex').slice(0, 32);
}

/**
 * Id of a room's notification. It names the room, so that a click still leads there when the app that
 * showed the notification has ended in between.
 */
export function notificationIdOf({ server, chatroom }: ServerChatroom): string {
  const mark = groupIdOf(server).slice(0, MARK_LENGTH);
  if (CHATROOM_ID.test(chatroom)) return `${mark}.${chatroom}`;
  return createHash('sha256').update(`${server} ${chatroom}`).digest('hex').slice(0, 32);
}

/** The room that a notification's id names. `undefined` for other ids and servers that are gone. */
export function findChatroomOfNotification(
  id: string,
  servers: readonly string[],
): ServerChatroom | undefined {
  const [mark = '', chatroom = '', ...rest] = id.split('.');
  if (rest.length > 0 || !CHATROOM_ID.test(chatroom)) return undefined;
  const server = servers.find((origin) => groupIdOf(origin).slice(0, MARK_LENGTH) === mark);
  return server === undefined ? undefined : { server, chatroom };
}
