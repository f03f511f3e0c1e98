import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { MailRefusedError, type MailDelivery } from './mail-delivery.ts';
import {
  deleteExpiredMails,
  deleteMail,
  findDueMails,
  findNextAttempt,
  postponeMail,
  type PendingMail,
} from './mail.repository.ts';
import { renderMail } from './mail-template.ts';

// Times in milliseconds.
const FIRST_RETRY_DELAY = 2_000;
const MAX_RETRY_DELAY = 10 * 60_000;
const FAILURE_PAUSE = 5_000;
/** Maximum pause, so that expired mails are deleted even if no new mail is queued. */
const MAX_SLEEP = 60 * 60_000;
/** Time that a delivery in progress may delay the shutdown. */
const CLOSE_GRACE = 3_000;
/** Number of mails delivered concurrently. */
const CONCURRENCY = 3;

/** Delivers queued mails in the background. */
export interface MailSender {
  /** Checks the queue now. */
  wake(): void;
  /** Stops immediately when idle. A mail that cannot be delivered in time stays in the queue. */
  stop(): Promise<void>;
}

/** Starts delivering queued mails, including those from before a restart. */
export function startMailSender(
  ctx: Pick<Context, 'config' | 'storage' | 'log'>,
  delivery: MailDelivery,
): MailSender {
  const { config, storage, log } = ctx;
  const stopping = new AbortController();
  const cancellation = new AbortController();
  // Mails that were delivered but are still in the queue because the database failed. Never send
  // them again.
  const delivered = new Set<string>();
  let wakeUp = new AbortController();
  const running = run();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wakeUp = new AbortController();
      const pause = await processQueue().catch((error: unknown) => {
        log.error({ err: error }, 'the mail queue could not be processed');
        return FAILURE_PAUSE;
      });
      // The sleep rejects if it is ended early by a wake-up.
      if (pause > 0) await sleep(pause, 0, { signal: wakeUp.signal }).catch(() => undefined);
    }
  }

  /** Tries to deliver the mails that are due. Returns the milliseconds until the next one is due. */
  async function processQueue(): Promise<number> {
    const now = Date.now();
    const due = await storage.read((db) => findDueMails(db, now, CONCURRENCY));
    if (due.length === 0) {
      const next = await storage.read(findNextAttempt);
      if (next === undefined) return MAX_SLEEP;
      if (next > now) return Math.min(next - now, MAX_SLEEP);
      const dropped = await storage.write(({ trx }) => deleteExpiredMails(trx, now));
      log.warn({ dropped }, 'mails that could not be sent before their key expired were discarded');
      return 0;
    }
    const results = await Promise.allSettled(due.map((mail) => deliver(mail)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return 0;
  }

  async function deliver(mail: PendingMail): Promise<void> {
    if (!delivered.has(mail.id)) {
      const content = { ...mail, publicUrl: config.publicUrl };
      try {
        await delivery.deliver(mail, renderMail(content), cancellation.signal);
      } catch (error) {
        await handleFailure(mail, error);
        return;
      }
      delivered.add(mail.id);
    }
    const wasQueued = await storage.write(({ trx }) => deleteMail(trx, mail.id));
    delivered.delete(mail.id);
    // The account was deleted in the meantime, or a newer mail replaced this one.
    if (!wasQueued) await delivery.recall?.(mail);
  }

  async function handleFailure(mail: PendingMail, error: unknown): Promise<void> {
    if (cancellation.signal.aborted) return;
    const fields = { mail: mail.id, purpose: mail.purpose, ...describeFailure(error) };
    if (error instanceof MailRefusedError) {
      log.warn(fields, 'a mail was permanently refused and discarded');
      await storage.write(({ trx }) => deleteMail(trx, mail.id));
      return;
    }
    const delay = computeRetryDelay(mail.attempts);
    log.warn({ ...fields, retryInSeconds: Math.round(delay / 1000) }, 'a mail could not be sent');
    await storage.write(({ trx }) => postponeMail(trx, mail.id, Date.now() + delay));
  }

  return {
    wake: () => wakeUp.abort(),
    async stop() {
      stopping.abort();
      wakeUp.abort();
      const grace = setTimeout(() => cancellation.abort(), CLOSE_GRACE);
      await running;
      clearTimeout(grace);
      delivery.close();
    },
  };
}

/**
 * Returns the retry delay in milliseconds: exponential backoff from 2 seconds to 10 minutes, with
 * jitter.
 */
function computeRetryDelay(attempts: number): number {
  const delay = Math.min(FIRST_RETRY_DELAY * 2 ** attempts, MAX_RETRY_DELAY);
  return Math.round(delay * (0.9 + Math.random() * 0.2));
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
