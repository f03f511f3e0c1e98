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
const FIRST_RETRY = 2_000;
const RETRY_MAX = 10 * 60_000;
const TROUBLE_PAUSE = 5_000;
/** The longest sleep, so that mails that expired are removed even if none comes. */
const IDLE_MAX = 60 * 60_000;
/** How long a mail under way may hold up the end of the server. */
const CLOSE_GRACE = 3_000;
/** Mails that are handed over at once. */
const AT_ONCE = 3;

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
  const end = new AbortController();
  /** Cuts off what is under way. */
  const cut = new AbortController();
  // Handed over, but the database could not note it yet: must not be sent again.
  const handedOver = new Set<string>();
  let alarm = new AbortController();
  const running = run();

  async function run(): Promise<void> {
    while (!end.signal.aborted) {
      alarm = new AbortController();
      const pause = await round().catch((error: unknown) => {
        log.error({ err: error }, 'the mail queue cannot be worked on');
        return TROUBLE_PAUSE;
      });
      // Rejects when the alarm goes off, which is all that it is for.
      if (pause > 0) await sleep(pause, 0, { signal: alarm.signal }).catch(() => undefined);
    }
  }

  /** Does what is due; returns how long nothing else will be. */
  async function round(): Promise<number> {
    const now = Date.now();
    const due = await storage.read((db) => findDueMails(db, now, AT_ONCE));
    if (due.length === 0) {
      const next = await storage.read(findNextAttempt);
      if (next === undefined) return IDLE_MAX;
      if (next > now) return Math.min(next - now, IDLE_MAX);
      const dropped = await storage.write(({ trx }) => deleteExpiredMails(trx, now));
      log.warn({ dropped }, 'mails were dropped that could not be sent while their key was valid');
      return 0;
    }
    const results = await Promise.allSettled(due.map((mail) => attempt(mail)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return 0;
  }

  async function attempt(mail: PendingMail): Promise<void> {
    if (!handedOver.has(mail.id)) {
      const content = { ...mail, publicUrl: config.publicUrl };
      try {
        await delivery.deliver(mail, renderMail(content), cut.signal);
      } catch (error) {
        await failed(mail, error);
        return;
      }
      handedOver.add(mail.id);
    }
    const wasQueued = await storage.write(({ trx }) => deleteMail(trx, mail.id));
    handedOver.delete(mail.id);
    // Its account was deleted meanwhile, or a newer mail took its place.
    if (!wasQueued) await delivery.recall?.(mail);
  }

  async function failed(mail: PendingMail, error: unknown): Promise<void> {
    if (cut.signal.aborted) return;
    const about = { mail: mail.id, purpose: mail.purpose, ...reason(error) };
    if (error instanceof MailRefusedError) {
      log.warn(about, 'a mail was refused for good and dropped');
      await storage.write(({ trx }) => deleteMail(trx, mail.id));
      return;
    }
    const delay = retryDelay(mail.attempts);
    log.warn({ ...about, retryInSeconds: Math.round(delay / 1000) }, 'a mail could not be sent');
    await storage.write(({ trx }) => postponeMail(trx, mail.id, Date.now() + delay));
  }

  return {
    wake: () => alarm.abort(),
    async stop() {
      end.abort();
      alarm.abort();
      const grace = setTimeout(() => cut.abort(), CLOSE_GRACE);
      await running;
      clearTimeout(grace);
      delivery.close();
    },
  };
}

/** Doubles from 2 seconds to 10 minutes, with a little chance so that mails spread out. */
function retryDelay(attempts: number): number {
  const delay = Math.min(FIRST_RETRY * 2 ** attempts, RETRY_MAX);
  return Math.round(delay * (0.9 + Math.random() * 0.2));
}

// What the mail server said may repeat the address; its codes do not.
function reason(error: unknown): Record<string, unknown> {
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
