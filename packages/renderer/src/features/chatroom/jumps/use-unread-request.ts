import type { LoadedChatroom } from '@parley/client';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { findUnreadWantedAt } from '../../../navigation/entry-state.ts';
import type { ChatroomJumps } from './use-chatroom-jumps.ts';
import { createUnreadRequest, type UnreadView } from './unread-request.ts';

/**
 * Calls `onShow` with the `seq` of the first unread message when a link or notification leads to a chatroom that is
 * open already. The newest messages are shown then.
 * @param isAttended whether the page is visible and has the focus
 */
export function useUnreadRequest(
  room: LoadedChatroom,
  isAttended: boolean,
  jumps: Pick<ChatroomJumps, 'showNewest'>,
  onShow: (seq: number) => void,
): void {
  const wantedAt = findUnreadWantedAt(useLocation().state);
  const [request] = useState(() => createUnreadRequest({ room, wantedAt }, room.unread > 0));
  const update = useEffectEvent((view: UnreadView) => {
    const seq = request.update(view, Date.now());
    if (seq === undefined) return;
    jumps.showNewest();
    // The older messages after a jump are replaced first.
    if (room.detached) return;
    request.finish();
    onShow(seq);
  });
  useEffect(() => update({ room, isAttended, wantedAt }), [room, isAttended, wantedAt]);
}
