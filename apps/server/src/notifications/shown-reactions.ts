import { createBoundedCache } from '../bounded-cache.ts';
import type { ViewTracker } from './view-tracker.ts';

/** Knows which devices show notifications of reactions and invitations, since this server sends them. */
export interface ShownReactions {
  /** Records that a device shows a reaction in a chatroom since a time of the monotonic clock. */
  add(sessionId: string, chatroomId: string, now: number): void;
  /** Forgets the notifications of chatrooms that a device has been told to close. */
  remove(sessionId: string, chatroomIds: readonly string[]): void;
  /** Finds the chatrooms with such a notification that the user has had in view since. */
  findSeen(sessionId: string, userId: string): string[];
}

/** Number of devices. */
const DEVICES_MAX = 10_000;
/** Number of chatrooms per device. The oldest are forgotten. */
const CHATROOMS_MAX = 20;

/**
 * Creates it without any. Unlike messages, they have no read position, so it is kept in memory, as is what
 * users have in view.
 */
export function createShownReactions(views: Pick<ViewTracker, 'wasInViewSince'>): ShownReactions {
  /** When the reactions were shown, by chatroom and device. */
  const devices = createBoundedCache<string, Map<string, number>>(DEVICES_MAX);

  return {
    add(sessionId, chatroomId, now) {
      const shown = devices.get(sessionId) ?? new Map<string, number>();
      shown.delete(chatroomId);
      shown.set(chatroomId, now);
      const [oldest] = shown.keys();
      if (shown.size > CHATROOMS_MAX && oldest !== undefined) shown.delete(oldest);
      devices.set(sessionId, shown);
    },
    remove(sessionId, chatroomIds) {
      const shown = devices.get(sessionId);
      for (const chatroomId of chatroomIds) shown?.delete(chatroomId);
      if (shown?.size === 0) devices.delete(sessionId);
    },
    findSeen: (sessionId, userId) =>
      [...(devices.get(sessionId) ?? [])].flatMap(([chatroomId, at]) =>
        views.wasInViewSince(userId, chatroomId, at) ? [chatroomId] : [],
      ),
  };
}
