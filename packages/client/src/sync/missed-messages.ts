import type { IncomingMessage } from '../notification-arbiter.ts';
import type { Chat } from '../stores/chat-list.ts';

/**
 * Finds the unread messages that arrived during a disconnection, at most one for each chat: its
 * newest message, unless the current user sent it. A known request has no new ones.
 * @param before the chat list before the disconnection
 * @param after the reloaded chat list, before the chatrooms resync
 */
export function findMissedMessages(
  before: readonly Chat[],
  after: readonly Chat[],
): IncomingMessage[] {
  const timeBefore = new Map(before.map(({ id, time }) => [id, time]));
  return after.flatMap(({ id, rev, names, unread, last, time, isRequest }) =>
    last &&
    !last.isOwn &&
    unread > 0 &&
    (time ?? '') > (timeBefore.get(id) ?? '') &&
    !(isRequest && timeBefore.has(id))
      ? [
          {
            key: `${id}.${rev}`,
            chatroomId: id,
            name: names.join(', '),
            kind: last.kind,
            content: last.content,
            ...(isRequest && { isRequest }),
          },
        ]
      : [],
  );
}
