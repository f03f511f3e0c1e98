import type { Context } from '../context.ts';
import type { DomainEvent } from '../domain-events.ts';
import type { ViewTracker } from './view-tracker.ts';
import { findRecipients, queuePushes, type PushEvent } from './push-queue.repository.ts';
import { ACTIVE_WITHIN, READ_DELAY } from './push-times.ts';
import { hasSubscriptions } from './subscription.repository.ts';

/** Queues notifications of what was stored by this server. */
export interface PushRecorder {
  /** Resolves once everything that was recorded is queued. */
  stop(): Promise<void>;
}

/** How long events are gathered, in milliseconds, so that they share a write. */
const GATHER = 50;
/** Maximum number of events that wait. More are not notified of, so that memory stays bounded. */
const WAITING_MAX = 10_000;
/** Maximum number of events per write. */
const BATCH = 200;

/** Starts a recorder. No write waits for it. */
export function startPushRecorder(
  { storage, events, ownEvents, log }: Pick<Context, 'storage' | 'events' | 'ownEvents' | 'log'>,
  views: ViewTracker,
): PushRecorder {
  let messageIds: string[] = [];
  /** Reactions and accepted invitations. */
  let others: PushEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  /** Whether there may be subscriptions. Undefined until it is looked up. */
  let isUsed: boolean | undefined;
  let isStopped = false;

  const stopRecording = ownEvents.subscribe((event) => {
    if (isUsed === false || messageIds.length + others.length >= WAITING_MAX) return;
    if (event.type === 'message-sent') messageIds.push(event.message._id);
    else if (event.type === 'reaction-received' && event.isOn) others.push(toReactionPush(event));
    else if (event.type === 'invitation-accepted') others.push(toInvitationPush(event));
    else return;
    schedule();
  });
  const unsubscribe = events.subscribe(({ type }) => {
    if (type === 'push-subscribed') isUsed = true;
    // Another server may have stored the first one.
    else if (type === 'events-missed' && isUsed === false) isUsed = undefined;
  });

  async function lookUpUse(): Promise<void> {
    const isAny = await storage.read(hasSubscriptions);
    // The event of the first subscription may have arrived meanwhile.
    isUsed ??= isAny;
  }

  function schedule(): void {
    if (messageIds.length + others.length === 0 || running !== undefined) return;
    timer ??= setTimeout(() => void run(), GATHER);
  }

  async function run(): Promise<void> {
    timer = undefined;
    const taken = [messageIds.splice(0, BATCH), others.splice(0, BATCH)] as const;
    running = queue(...taken).catch((error: unknown) => {
      log.warn({ err: error }, 'notifications could not be queued');
    });
    await running;
    running = undefined;
    if (!isStopped) schedule();
  }

  async function queue(ids: readonly string[], added: readonly PushEvent[]): Promise<void> {
    if (isUsed === undefined) await lookUpUse();
    if (isUsed !== true) return;
    const now = Date.now();
    const found = ids.length === 0 ? [] : await storage.read((db) => findRecipients(db, ids, now));
    const due = [...found, ...added].map((event) => ({ event, dueAt: dueOf(event, now) }));
    if (due.length === 0) return;
    await storage.write(
      async ({ trx, emit }) => {
        await queuePushes(trx, due, now);
        emit({ type: 'push-queued' });
      },
      { isConcurrent: true },
    );
  }

  function dueOf({ userId, chatroomId }: PushEvent, now: number): number {
    const isNear = views.isInView(userId, chatroomId) || views.wasActive(userId, ACTIVE_WITHIN);
    return isNear ? now + READ_DELAY : now;
  }

  return {
    async stop() {
      isStopped = true;
      stopRecording();
      unsubscribe();
      clearTimeout(timer);
      await running;
      while (messageIds.length + others.length > 0) await run();
    },
  };
}

function toReactionPush({
  userId,
  chatroomId,
  reaction,
}: Extract<DomainEvent, { type: 'reaction-received' }>): PushEvent {
  return { userId, chatroomId, kind: 'reaction', position: Date.parse(reaction.createdAt) };
}

function toInvitationPush({
  userId,
  chatroomId,
  acceptedAt,
}: Extract<DomainEvent, { type: 'invitation-accepted' }>): PushEvent {
  return { userId, chatroomId, kind: 'invitation', position: acceptedAt };
}
