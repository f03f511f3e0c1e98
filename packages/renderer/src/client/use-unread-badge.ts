import { selectTotalUnread, type Client } from '@parley/client';
import { useEffect } from 'react';
import { useHost } from '../host/host-context.ts';

/** How long changes of the chat list are gathered. Milliseconds. */
const GATHER_MS = 1_000;

/**
 * Shows the number of unread messages on the app's icon, and removes notifications of chatrooms that were read
 * or removed, and of reactions that were taken back.
 */
export function useUnreadBadge(client: Client | undefined): void {
  const host = useHost();
  useEffect(() => {
    if (!client) return undefined;
    host.setBadge(selectTotalUnread(client.chats.getState()));
    const stopBadge = client.chats.subscribe((state, before) => {
      const { chats } = state;
      const total = selectTotalUnread(state);
      if (total !== selectTotalUnread(before)) host.setBadge(total);
      for (const { id, unread, reaction, isMarkedUnread } of before.chats) {
        // A chat that was blocked or deleted is no longer listed.
        const now = chats.find((chat) => chat.id === id);
        if ((now?.unread ?? 0) > 0) continue;
        const isReactionGone = reaction !== undefined && now?.reaction === undefined;
        // The notification of an accepted invitation.
        const isOpened = isMarkedUnread === true && now?.isMarkedUnread !== true;
        if (unread > 0 || isReactionGone || isOpened) host.withdrawNotification(id);
      }
    });
    return () => {
      stopBadge();
      host.setBadge(0);
    };
  }, [host, client]);
}

/** Removes notifications of push messages that were read while no page was open. */
export function useReadNotifications(client: Client | undefined): void {
  const host = useHost();
  useEffect(() => {
    if (!client || !host.withdrawReadNotifications) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isRead = (chatroom: string, seq: number): boolean => {
      const chat = client.chats.getState().chats.find(({ id }) => id === chatroom);
      // A push message may be newer than the list.
      return chat?.unread === 0 && (chat.last?.seq ?? 0) >= seq;
    };
    const stop = client.chats.subscribe(({ isFromCopy }) => {
      if (isFromCopy) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        host.withdrawReadNotifications?.(isRead);
      }, GATHER_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [host, client]);
}
