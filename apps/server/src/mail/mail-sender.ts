import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { createAlarm } from '../jobs/alarm.ts';
import { longestDelay, retryDelay } from '../scheduling/retry-delay.ts';
import { isDatabaseError } from '../storage/storage-errors.ts';
import type { WriteContext } from '../storage/storage.ts';
import { MailRefusedError, type MailDelivery } from './mail-delivery.ts';
import {
  claimMails,
  deleteExpiredMails,
  deleteMail,
  findDueMails,
  findNextAttempt,
  hasRecipient,
  postponeMail,
  releaseMail,
  type QueuedMail,
} from './mail-queue.repository.ts';
import { renderMail } from './mail-template.ts';

// Times in milliseconds.
const RETRIES = { first: 2_000, factor: 2, max: 10 * 60_000 };
/** Maximum time until the next attempt of a mail that is not due. */
export const MAIL_RETRY_MAX = longestDelay(RETRIES);
const FAILURE_PAUSE = 5_000;
/** Pause before the outcome of a delivery is recorded again if the database failed. */
const RECORD_PAUSE = 1_000;
/** Maximum pause, so that expired mails are deleted even if no new mail is queued. */
const MAX_SLEEP = 60 * 60_000;
/** Maximum pause if other servers queue mails: one may end before it has announced its mail. */
const MAX_SLEEP_SHARED = 30_000;
/** Time that a delivery in progress may delay the shutdown. */
const CLOSE_GRACE = 3_000;
/** Maximum duration of a delivery. */
const DELIVERY_MAX = 90_000;
/**
 * How long no other server sends a mail that this one has claimed. If this server dies meanwhile,
 * the next leader waits for the end of the claim. The claim ends later than the delivery by more
 * than the clocks of servers differ.
 */
const CLAIM_DURATION = DELIVERY_MAX + 30_000;
/** Number of mails delivered concurrently. */
const CONCURRENCY = 3;

/**
 * Delivers queued mails, including those from before a restart, until `signal` is aborted. Then
 * resolves immediately when idle; mails that cannot be delivered in time stay in the queue. Outcomes
 * that the database rejects are recorded later, unless `closing` is aborted.
 *
 * If the database is shared, a mail is claimed before it is delivered, so that a server that has
 * lost its connection and the next leader do not both send it. A mail is sent twice, with the same
 * message id, only if a server dies or loses the database for longer than the claim after the mail
 * server has accepted the mail and before it is removed from the queue.
 */
export async function sendQueuedMails(
  ctx: Pick<Context, 'config' | 'storage' | 'cluster' | 'log' | 'events'>,
  delivery: MailDelivery,
  signal: AbortSignal,
  closing: AbortSignal,
): Promise<void> {
  const { config, storage, cluster, log, events } = ctx;
  const cancellation = new AbortController();
  const alarm = createAlarm();

  /** Tries to deliver the mails that are due. Returns the milliseconds until the next one is due. */
  async function processQueue(): Promise<number> {
    const now = Date.now();
    const due = await storage.read((db) => findDueMails(db, now, CONCURRENCY));
    if (due.length === 0) {
      const maxSleep = cluster.isShared ? MAX_SLEEP_SHARED : MAX_SLEEP;
      const next = await storage.read(findNextAttempt);
      if (next === undefined) return maxSleep;
      if (next > now) return Math.min(next - now, maxSleep);
      const dropped = await storage.write(({ trx }) => deleteExpiredMails(trx, now));
      log.warn({ dropped }, 'mails that could not be sent before their key expired were discarded');
      return 0;
    }
    const canceled = AbortSignal.any([cancellation.signal, AbortSignal.timeout(DELIVERY_MAX)]);
    const claimed = cluster.isShared ? await claim(due, now) : due;
    const results = await Promise.allSettled(claimed.map((mail) => deliver(mail, canceled)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return 0;
  }

  /** Returns those of the mails that no other server has claimed meanwhile. */
  async function claim(mails: readonly QueuedMail[], now: number): Promise<QueuedMail[]> {
    const ids = mails.map(({ id }) => id);
    const claimed = await storage.write(
      ({ trx }) => claimMails(trx, ids, now, now + CLAIM_DURATION),
      { isConcurrent: true },
    );
    return mails.filter(({ id }) => claimed.has(id));
  }

  async function deliver(mail: QueuedMail, canceled: AbortSignal): Promise<void> {
    const content = { ...mail, publicUrl: config.publicUrl };
    try {
      await delivery.deliver(mail, renderMail(content), canceled);
    } catch (error) {
      await handleFailure(mail, error);
      return;
    }
    let isFirst = true;
    const wasQueued = await record(
      ({ trx }) => deleteMail(trx, mail.id),
      () => {
        isFirst = false;
      },
    );
    if (wasQueued) return;
    // The recipient was deleted in the meantime, or a newer mail replaced this one. Or an earlier
    // attempt has deleted it, although it seemed to fail.
    const isObsolete =
      isFirst || !(await storage.read((db) => hasRecipient(db, mail.recipient_id)));
    if (isObsolete) await delivery.recall?.(mail);
  }

  /**
   * Records the outcome of a delivery. Retries while the database fails, because a delivered mail
   * would be sent again otherwise. Calls `onUncertain` after each failure, which hides whether the
   * outcome was recorded.
   */
  async function record<T>(
    work: (write: WriteContext) => Promise<T>,
    onUncertain?: () => void,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await storage.write(work);
      } catch (error) {
        if (closing.aborted || !isDatabaseError(error)) throw error;
        onUncertain?.();
        if (attempt === 1) log.error({ err: error }, 'the outcome of a mail is not recorded yet');
      }
      await sleep(RECORD_PAUSE, undefined, { signal: closing }).catch(() => undefined);
    }
  }

  async function handleFailure(mail: QueuedMail, error: unknown): Promise<void> {
    if (cancellation.signal.aborted) {
      if (cluster.isShared) await release(mail);
      return;
    }
    const fields = { mail: mail.id, purpose: mail.purpose, ...describeFailure(error) };
    if (error instanceof MailRefusedError) {
      log.warn(fields, 'a mail was permanently refused and discarded');
      await record(({ trx }) => deleteMail(trx, mail.id));
      return;
    }
    const delay = retryDelay(RETRIES, mail.attempts);
    log.warn({ ...fields, retryInSeconds: Math.round(delay / 1000) }, 'a mail could not be sent');
    await record(({ trx }) => postponeMail(trx, mail.id, Date.now() + delay));
  }

  /** Lets the next leader send a claimed mail immediately. */
  async function release(mail: QueuedMail): Promise<void> {
    await record(async ({ trx, emit }) => {
      await releaseMail(trx, mail.id, Date.now());
      emit({ type: 'mail-queued' });
    });
  }

  let grace: NodeJS.Timeout | undefined;
  signal.addEventListener('abort', () => {
    grace = setTimeout(() => cancellation.abort(), CLOSE_GRACE);
  });
  const unsubscribe = events.subscribe((event) => {
    if (event.type === 'mail-queued') alarm.ring();
  });
  while (!signal.aborted) {
    const pause = await processQueue().catch((error: unknown) => {
      log.error({ err: error }, 'the mail queue could not be processed');
      return FAILURE_PAUSE;
    });
    if (pause > 0) await alarm.wait(pause, signal);
  }
  clearTimeout(grace);
  unsubscribe();
  delivery.close();
}

/**
 * Returns log fields for a failure. The server's reply may contain the email address, so only its
 * codes are logged.
 */
function describeFailure(error: unknown): Record<string, unknown> {
  const source = error instanceof MailRefusedError ? error.cause : error;
  if (!(source instanceof Error)) return {};
  const { code, command, responseCode } = source as Error & Record<string, unknown>;
  return {
    code,
    command,
    status: responseCode,
    ...(responseCode === undefined && { reason: source.message }),
  };
}
