import type { Chat } from '../stores/chat-list.ts';
import type { Incoming } from './attention.ts';

/** What others wrote while there was no connection: the newest of each chat that has more unread than before. */
export function missedSince(before: readonly Chat[], after: readonly Chat[]): Incoming[] {
  const unreadBefore = new Map(before.map(({ id, unread }) => [id, unread]));
  return after.flatMap(({ id, rev, names, unread, last }) =>
    last && !last.isOwn && unread > (unreadBefore.get(id) ?? 0)
      ? [
          {
            key: `${id}.${rev}`,
            chatroom: id,
            name: names.join(', '),
            kind: last.kind,
            content: last.content,
          },
        ]
      : [],
  );
}
