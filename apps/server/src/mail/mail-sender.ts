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

/** Times in milliseconds. */
const FIRST_RETRY_DELAY = 2_000;
const MAX_RETRY_DELAY = 10 * 60_000;
const FAILURE_PAUSE = 5_000;
/** The longest sleep, so that mails that expired are removed even if none comes. */
const MAX_SLEEP = 60 * 60_000;
/** How long a mail under way may hold up the end of the server. */
const CLOSE_GRACE = 3_000;
/** Mails that are handed over at once. */
const CONCURRENCY = 3;

/** Hands over queued mails in the background until it is stopped. */
export interface MailSender {
  /** Something may be due. */
  wake(): void;
  /** Ends at once when idle; a mail that does not get through in time stays in the queue. */
  stop(): Promise<void>;
}

/** Starts handing over what is in the queue, mails from before a restart included. */
export function startMailSender(
  ctx: Pick<Context, 'config' | 'storage' | 'log'>,
  delivery: MailDelivery,
): MailSender {
  const { config, storage, log } = ctx;
  const stopping = new AbortController();
  /** Cuts off what is under way. */
  const cancellation = new AbortController();
  // Handed over, but the database could not note it yet: must not be sent again.
  const delivered = new Set<string>();
  let wakeUp = new AbortController();
  const running = run();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wakeUp = new AbortController();
      const pause = await processQueue().catch((error: unknown) => {
        log.error({ err: error }, 'the mail queue cannot be worked on');
        return FAILURE_PAUSE;
      });
      // Rejects on wake-up, which is all that it is for.
      if (pause > 0) await sleep(pause, 0, { signal: wakeUp.signal }).catch(() => undefined);
    }
  }

  /** Does what is due; returns how long nothing else will be. */
  async function processQueue(): Promise<number> {
    const now = Date.now();
    const due = await storage.read((db) => findDueMails(db, now, CONCURRENCY));
    if (due.length === 0) {
      const next = await storage.read(findNextAttempt);
      if (next === undefined) return MAX_SLEEP;
      if (next > now) return Math.min(next - now, MAX_SLEEP);
      const dropped = await storage.write(({ trx }) => deleteExpiredMails(trx, now));
      log.warn({ dropped }, 'mails were dropped that could not be sent while their key was valid');
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
    // Its account was deleted meanwhile, or a newer mail took its place.
    if (!wasQueued) await delivery.recall?.(mail);
  }

  async function handleFailure(mail: PendingMail, error: unknown): Promise<void> {
    if (cancellation.signal.aborted) return;
    const fields = { mail: mail.id, purpose: mail.purpose, ...describeFailure(error) };
    if (error instanceof MailRefusedError) {
      log.warn(fields, 'a mail was refused for good and dropped');
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

/** Doubles from 2 seconds to 10 minutes, with a little chance so that mails spread out. */
function computeRetryDelay(attempts: number): number {
  const delay = Math.min(FIRST_RETRY_DELAY * 2 ** attempts, MAX_RETRY_DELAY);
  return Math.round(delay * (0.9 + Math.random() * 0.2));
}

// What the mail server said may repeat the address; its codes do not.
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
