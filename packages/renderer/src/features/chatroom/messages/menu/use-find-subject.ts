import type { Message } from '@parley/contract';
import { usePublicConfig } from '../../../../host/host-context.ts';
import { useChatroomMode } from '../../chatroom-mode.ts';
import { contentOf, hasKey, itemsOf, kindOf, type TimelineRow } from '../timeline.ts';
import type { MenuSubject } from './message-menu-entries.ts';

/** Returns a function that finds the message of a menu by the key of its row. */
export function useFindSubject(
  rows: readonly TimelineRow[],
): (key: string) => MenuSubject | undefined {
  const { mediaPrefix } = usePublicConfig();
  const { isQuiet, isReadOnly, canReply } = useChatroomMode();
  return (wanted) => {
    const row = rows.find((each) => hasKey(each, wanted));
    const item = row && itemsOf(row).find(({ key }) => key === wanted);
    if (!row || !item) return undefined;
    const { isOwn } = row;
    const { message, entry } = item;
    return {
      message,
      entry,
      kind: kindOf(item, mediaPrefix),
      content: contentOf(item),
      isOwn,
      isHidden: isQuiet && !isOwn,
      isReadOnly,
      canReply,
      album: findAlbum(rows, message),
    };
  };
}

/** Returns the messages of a message's album that are loaded. */
function findAlbum(rows: readonly TimelineRow[], message: Message | undefined): Message[] {
  const albumId = message?.albumId;
  if (albumId === undefined) return [];
  return rows
    .flatMap(itemsOf)
    .flatMap(({ message: each }) => each ?? [])
    .filter(
      (each) => each.albumId === albumId && each.sender.username === message?.sender.username,
    );
}
