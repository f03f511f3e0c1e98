import { KEY_LIFETIME } from '../accounts/account-keys.ts';
import type { Context } from '../context.ts';
import { MAIL_RETRY_MAX } from '../mail/mail-sender.ts';
import { PUSH_RETRIES } from '../notifications/push-times.ts';
import { isCertainlyBehind } from '../scheduling/certainly-behind.ts';
import { longestDelay } from '../scheduling/retry-delay.ts';
import { SESSION_IDLE_TIMEOUT } from '../sessions/session.store.ts';
import { correct, isNeeded, type Correction, type TimeColumn } from './future-times.repository.ts';

/** Times at which something has happened, which decide when rows are deleted. */
const PAST: readonly TimeColumn[] = [
  ['sessions', 'last_seen_at'],
  ['ended_sessions', 'ended_at'],
  ['registrations', 'created_at'],
  ['push_subscriptions', 'created_at'],
  ['push_subscriptions', 'seen_at'],
  ['push_subscriptions', 'succeeded_at'],
  ['push_subscriptions', 'failing_since'],
  ['reports', 'created_at'],
  ['reports', 'closed_at'],
  ['exports', 'created_at'],
  ['exports', 'finished_at'],
];

/** Columns with times, and at most how many milliseconds later these are than when they were stored. */
type TimesAhead = readonly (readonly [TimeColumn, number])[];

/** Times at which something ends. */
const ENDS: TimesAhead = [
  [['sessions', 'expires_at'], SESSION_IDLE_TIMEOUT],
  [['account_keys', 'expires_at'], KEY_LIFETIME.reset],
  [['registrations', 'key_expires_at'], KEY_LIFETIME.verify],
  [['email_changes', 'key_expires_at'], KEY_LIFETIME.change],
  [['former_emails', 'expires_at'], KEY_LIFETIME.restore],
  [['outgoing_mails', 'expires_at'], KEY_LIFETIME.restore],
];

/** Times at which something is due. */
const DUE: TimesAhead = [
  [['outgoing_mails', 'next_attempt_at'], MAIL_RETRY_MAX],
  [['push_queue', 'due_at'], longestDelay(PUSH_RETRIES)],
];

/** Queues, with the columns of when their rows are due. */
const QUEUED = [
  ['outgoing_mails', 'next_attempt_at'],
  ['push_queue', 'due_at'],
] as const;

/** Milliseconds by which the clocks of servers on a database may differ. */
const TOLERANCE = 60_000;

const MINUTE = 60_000;

/**
 * Corrects stored times that lie further in the future than they can, because the clock has been put back since.
 * Without that, sessions, keys, limits and queued work would last until then. What was queued becomes due. Does
 * nothing if the clock itself is certainly wrong. Returns the number of corrected times.
 * @param isSteady whether the clock can be believed. One that is behind would end sessions, keys and invitations
 * as soon as it is put right, so that theirs are not corrected without it.
 */
export async function correctFutureTimes(
  { storage }: Pick<Context, 'storage'>,
  isSteady: boolean,
): Promise<number> {
  const now = Date.now();
  if (isCertainlyBehind(now)) return 0;
  let corrected = 0;
  const corrections = isSteady
    ? [...listDueCorrections(now), ...listEndCorrections(now)]
    : listDueCorrections(now);
  for (const each of corrections) {
    // Usually, nothing is.
    if (!(await storage.read((db) => isNeeded(db, each)))) continue;
    // A write each, so that none takes long.
    corrected += await storage.write(({ trx }) => correct(trx, each));
  }
  if (corrected > 0) {
    // Both queues wait until the time that was stored before.
    await storage.write(async ({ emit }) => {
      emit({ type: 'mail-queued' });
      emit({ type: 'push-queued' });
    });
  }
  return corrected;
}

/** Lists the corrections that delete nothing too early if the clock is behind. */
function listDueCorrections(now: number): Correction[] {
  const limit = now + TOLERANCE;
  return [
    { column: ['users', 'last_seen_at'], limit, to: toMinute(now) },
    ...DUE.map((each) => toCorrection(each, now)),
    ...QUEUED.map(([table, due]) => ({
      column: [table, 'created_at'] as const,
      limit,
      to: now,
      also: { column: due, isShifted: false },
    })),
  ];
}

/** Lists the corrections of what would be deleted too early if the clock is behind. */
function listEndCorrections(now: number): Correction[] {
  const limit = now + TOLERANCE;
  return [
    ...PAST.map((column) => ({ column, limit, to: toMinute(now) })),
    ...ENDS.map((each) => toCorrection(each, now)),
    {
      // They last as long as their creator has chosen.
      column: ['invitations', 'created_at'],
      limit,
      to: now,
      also: { column: 'expires_at', isShifted: true },
    },
  ];
}

function toCorrection([column, length]: TimesAhead[number], now: number): Correction {
  return { column, limit: now + TOLERANCE + length, to: now + length };
}

/** Returns the whole minute, as it is stored when users were last seen. */
function toMinute(time: number): number {
  return Math.floor(time / MINUTE) * MINUTE;
}
