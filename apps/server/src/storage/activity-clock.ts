import type { FastifyBaseLogger } from 'fastify';
import type { EventBus } from '../domain-events.ts';
import type { Reader, Storage } from './storage.ts';

/**
 * Orders messages by what happened last, also after the clock was put back: a hybrid logical clock (Kulkarni et
 * al., 2014).
 */
export interface ActivityClock {
  /** Returns the place of a new message in the order of all messages; null if that is `now` itself. */
  place(now: number): number | null;
}

/** Milliseconds by which clocks of servers may differ, or be corrected, without places of their own. */
const TOLERANCE = 1_000;

interface ActivityClockDeps {
  readonly storage: Pick<Storage, 'read'>;
  readonly events: EventBus;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
}

/** Returns the last place in the order of all messages and new chats, in UTC milliseconds; 0 without any. */
export async function findLastPlace(db: Reader): Promise<number> {
  const newest = await db
    .selectFrom('messages')
    .select('created_at')
    // Ids sort by their creation time, and there is no index by `created_at`.
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  // It may have no messages.
  const chatroom = await db
    .selectFrom('chatrooms')
    .select('created_at')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const placed = await db
    .selectFrom('messages')
    .select('active_at')
    .where('active_at', 'is not', null)
    .orderBy('active_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const times = [newest?.created_at, chatroom?.created_at, placed?.active_at];
  return Math.max(...times.map((time) => time ?? 0));
}

/** Creates the clock from the stored messages. It follows those of all servers. */
export async function createActivityClock({
  storage,
  events,
  log,
}: ActivityClockDeps): Promise<ActivityClock> {
  let last = 0;

  async function load(): Promise<void> {
    const before = last;
    const found = await storage.read(findLastPlace);
    // Unless there is a newer one by now.
    if (last === before) last = found;
  }

  function advance(time: string): void {
    last = Math.max(last, Date.parse(time));
  }

  await load();
  events.subscribe((event) => {
    if (event.type === 'message-sent') {
      advance(event.message.activeAt ?? event.message.createdAt);
    } else if (event.type === 'chat-changed') {
      // It may be new and have no messages.
      advance(event.chat.activeAt);
    } else if (event.type === 'events-missed') {
      load().catch((error: unknown) => log.warn({ err: error }, 'the newest message is not known'));
    }
  });

  return {
    place(now) {
      if (now > last - TOLERANCE) {
        last = Math.max(last, now);
        return null;
      }
      last += 1;
      return last;
    },
  };
}
