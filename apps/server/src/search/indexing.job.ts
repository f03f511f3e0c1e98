import { setTimeout as sleep } from 'node:timers/promises';
import { isWithin } from '../scheduling/is-within.ts';
import type { Context } from '../context.ts';
import type { DomainEvent } from '../domain-events.ts';
import { createAlarm } from '../jobs/alarm.ts';
import { BLOCK_SIZE } from '../storage/search-blocks.ts';
import type { Job } from '../storage/cluster.ts';
import {
  countUnindexed,
  indexNext,
  indexOutdatedBlock,
  type IndexingOptions,
} from './indexing.service.ts';
import { findUnfinishedChatrooms } from './search-index.repository.ts';

/** Milliseconds between two searches for chatrooms with messages that are in no block. */
const SCAN_INTERVAL = 5 * 60 * 1000;

/** Milliseconds without a new message after which a block is written that is not full yet. */
const QUIET_TIME = 10 * 60 * 1000;

/** Milliseconds after a change in which further ones are awaited before blocks are written again. */
const CHANGE_DELAY = 500;

/** Milliseconds after which blocks are tried again whose messages have changed while they were written. */
const RETRY_DELAY = 5_000;

/**
 * Number of new messages of a chatroom after which they are indexed without waiting for the next search for
 * such chatrooms. Several blocks together take less time, as they have many trigrams in common.
 */
const FULL_COUNT = 4 * BLOCK_SIZE;

/**
 * Number of messages from which the log says that those that waited at the start are indexed. After an ordinary restart,
 * they are fewer in each chatroom than {@link FULL_COUNT}.
 */
const LOGGED_MIN = 1_000;

/** How much longer a pause after a step is than the step, so that users notice little. */
const PAUSE_FACTOR = 2;

/** Number of chatrooms that are read at once. */
const PAGE_SIZE = 200;

/** What remains to be indexed. */
interface Backlog {
  /** Chatrooms with many new messages. */
  readonly full: Set<string>;
  hasChanges: boolean;
  /** When all chatrooms are searched again; UTC milliseconds. */
  scanAt: number;
  /** What was to be indexed when the job started, until it is. Undefined before that is counted. */
  initial: { messages: number; readonly startedAt: number } | undefined;
}

/**
 * Creates the job that maintains the search index: first of all messages that are in no block, which are
 * all of them after an upgrade, then of new and changed messages. Its progress is in the database. A search
 * reads what is not indexed yet from the messages, so it finds the same at any time.
 */
export function createIndexingJob(ctx: Context): Job {
  return async (signal) => {
    const alarm = createAlarm();
    const backlog: Backlog = {
      full: new Set(),
      hasChanges: true,
      scanAt: 0,
      initial: undefined,
    };
    const unsubscribe = ctx.events.subscribe((event) => {
      if (addToBacklog(backlog, event)) alarm.ring();
    });
    try {
      while (!signal.aborted) {
        await work(ctx, backlog, signal).catch((error: unknown) => {
          if (!signal.aborted) ctx.log.error({ err: error }, 'failed to update the search index');
          backlog.scanAt = performance.now() + SCAN_INTERVAL;
          // Blocks that it had begun to write may contain what is deleted in the meantime.
          backlog.hasChanges = true;
        });
        const delay = backlog.hasChanges ? RETRY_DELAY : backlog.scanAt - performance.now();
        await alarm.wait(Math.max(0, delay), signal);
      }
    } finally {
      unsubscribe();
    }
  };
}

/** Returns whether there is something to do soon. */
function addToBacklog(backlog: Backlog, event: DomainEvent): boolean {
  switch (event.type) {
    case 'message-sent':
      if (event.message.seq % FULL_COUNT !== 0) return false;
      backlog.full.add(event.message.chatroom);
      return true;
    case 'message-edited':
    case 'message-deleted':
      if (backlog.hasChanges) return false;
      backlog.hasChanges = true;
      return true;
    case 'events-missed':
      backlog.hasChanges = true;
      backlog.scanAt = 0;
      return true;
    default:
      return false;
  }
}

async function work(ctx: Context, backlog: Backlog, signal: AbortSignal): Promise<void> {
  for (const chatroomId of backlog.full) {
    backlog.full.delete(chatroomId);
    await indexChatroom(ctx, backlog, chatroomId, { isQuiet: false }, signal);
  }
  // Erased messages are not announced by an event each.
  if (backlog.hasChanges || performance.now() >= backlog.scanAt) {
    await sleep(CHANGE_DELAY, undefined, { signal, ref: false });
    backlog.hasChanges = false;
    await indexOutdated(ctx, backlog, signal);
  }
  if (performance.now() < backlog.scanAt) return;
  backlog.scanAt = performance.now() + SCAN_INTERVAL;
  backlog.initial ??= {
    messages: await countUnindexed(ctx.storage),
    startedAt: performance.now(),
  };
  await indexUnfinished(ctx, backlog, signal);
  const { messages, startedAt } = backlog.initial;
  if (signal.aborted || messages < LOGGED_MIN) return;
  backlog.initial.messages = 0;
  const ms = Math.round(performance.now() - startedAt);
  ctx.log.info({ messages, ms }, 'the search index has caught up with older messages');
}

/** Indexes what is in no block yet of all chatrooms. */
async function indexUnfinished(ctx: Context, backlog: Backlog, signal: AbortSignal): Promise<void> {
  let position = '';
  for (;;) {
    const rooms = await ctx.storage.read((db) => findUnfinishedChatrooms(db, position, PAGE_SIZE));
    for (const { id, newest_at: newestAt } of rooms) {
      if (signal.aborted) return;
      const isQuiet = newestAt === null || !isWithin(newestAt, QUIET_TIME, Date.now());
      await indexChatroom(ctx, backlog, id, { isQuiet }, signal);
    }
    const last = rooms.at(-1);
    if (last === undefined) return;
    position = last.id;
  }
}

/** Indexes what is in no block yet of a chatroom, until one of these messages changes. */
function indexChatroom(
  { storage }: Context,
  backlog: Backlog,
  chatroomId: string,
  options: IndexingOptions,
  signal: AbortSignal,
): Promise<void> {
  return repeat(signal, async () => {
    const { isDone, hasMore } = await indexNext(storage, chatroomId, options);
    if (!isDone) backlog.hasChanges = true;
    return isDone && hasMore;
  });
}

/** Writes each outdated block again, once. */
function indexOutdated({ storage }: Context, backlog: Backlog, signal: AbortSignal): Promise<void> {
  let afterId = 0;
  return repeat(signal, async () => {
    const block = await indexOutdatedBlock(storage, afterId);
    if (block === undefined) return false;
    if (!block.isDone) backlog.hasChanges = true;
    afterId = block.id;
    return true;
  });
}

/** Repeats a step until it has nothing left to do. */
async function repeat(signal: AbortSignal, step: () => Promise<boolean>): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    const hasMore = await step();
    if (!hasMore) return;
    const duration = performance.now() - startedAt;
    // Rejects once the server stops: without the signal, the process would end before it has stopped.
    await sleep(duration * PAUSE_FACTOR, undefined, { signal, ref: false });
  }
}
