import { contentKind } from '@parley/contract';
import { usePublicConfig } from '../../../../host/host-context.ts';
import { useRoomMode } from '../../room-mode.ts';
import type { TimelineRow } from '../timeline.ts';
import type { MenuSubject } from './message-menu-entries.ts';

/** Returns a function that finds the message of a menu by the key of its row. */
export function useFindSubject(
  rows: readonly TimelineRow[],
): (key: string) => MenuSubject | undefined {
  const { mediaPrefix } = usePublicConfig();
  const { isQuiet, isReadOnly } = useRoomMode();
  return (wanted) => {
    const row = rows.find(({ key }) => key === wanted);
    if (!row) return undefined;
    const { message, entry, isOwn } = row;
    const content = message?.content ?? entry?.content ?? '';
    return {
      message,
      entry,
      kind: message?.kind ?? contentKind(content, mediaPrefix),
      content,
      isOwn,
      isHidden: isQuiet && !isOwn,
      isReadOnly,
    };
  };
}
