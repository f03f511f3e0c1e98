import type { RateLimitClass } from '@parley/contract/schemas';

/**
 * What a limit is counted by: the network that a request comes from, the signed-in account, the mail
 * address in the body, that mail address together with the network, or the device if an account
 * with that mail address has logged in there before.
 */
export type Subject = 'address' | 'account' | 'mailbox' | 'mailbox-at-address' | 'device';

/** Bounds what a subject may use up in a window of time. */
export interface Rule {
  readonly by: Subject;
  /** What is let through in each window: requests, or what they cost. */
  readonly max: number;
  /** Length of the window in seconds. */
  readonly per: number;
  /** Holds only for mail addresses that have used up this rule, which by itself refuses nothing. */
  readonly once?: Omit<Rule, 'once'>;
}

/** Rules that hold at once. */
export interface Limit {
  readonly rules: readonly Rule[];
  /** In place of the rules where the request comes from a device that is known for its mail address. */
  readonly known?: readonly Rule[];
  /** Requests that succeed are not counted. */
  readonly onlyFailures?: true;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The limits of the endpoints, by their class in the endpoint table. They bite where guessing or
 * flooding pays; a person who chats in a hurry, or a household behind one address, meets none.
 *
 * No one else's failures keep the owner of an account out: failures count by mail address and
 * network together, and a device on which the owner has logged in before has counts of its own.
 */
export const RATE_LIMITS = {
  login: {
    onlyFailures: true,
    rules: [
      { by: 'address', max: 100, per: 15 * MINUTE },
      { by: 'mailbox-at-address', max: 10, per: 10 * MINUTE },
      // Guessing from many networks: each gets two attempts an hour then, and a fresh one still
      // gets in with the right password.
      {
        by: 'mailbox-at-address',
        max: 2,
        per: HOUR,
        once: { by: 'mailbox', max: 100, per: HOUR },
      },
    ],
    known: [{ by: 'device', max: 10, per: 10 * MINUTE }],
  },
  /** Entering a key that was mailed. Each key has five tries, whoever makes them. */
  keys: {
    onlyFailures: true,
    rules: [
      { by: 'address', max: 60, per: 15 * MINUTE },
      { by: 'mailbox-at-address', max: 10, per: HOUR },
    ],
    known: [{ by: 'device', max: 10, per: HOUR }],
  },
  /** Asking for a mail. The bound by mailbox alone is the most that it gets from all networks. */
  mail: {
    rules: [
      { by: 'address', max: 30, per: HOUR },
      { by: 'mailbox-at-address', max: 5, per: HOUR },
      { by: 'mailbox', max: 20, per: HOUR },
      { by: 'mailbox', max: 60, per: DAY },
    ],
    known: [{ by: 'device', max: 5, per: HOUR }],
  },
  register: { rules: [{ by: 'address', max: 30, per: HOUR }] },
  /** Whatever asks for the current password. */
  password: { rules: [{ by: 'account', max: 10, per: 10 * MINUTE }] },
  settings: { rules: [{ by: 'account', max: 120, per: MINUTE }] },
  /** Whatever tells whether somebody has a name. */
  search: { rules: [{ by: 'account', max: 60, per: MINUTE }] },
  upload: { rules: [{ by: 'account', max: 60, per: MINUTE }] },
  /** New messages, rooms included. */
  send: { rules: [{ by: 'account', max: 300, per: MINUTE }] },
  /** Edits and deletions. */
  change: { rules: [{ by: 'account', max: 300, per: MINUTE }] },
  read: { rules: [{ by: 'account', max: 1_200, per: MINUTE }] },
  /** Chat list and pages of messages. */
  sync: { rules: [{ by: 'account', max: 1_200, per: MINUTE }] },
  /** Catching up, by the number of chatrooms asked about: see the route. */
  changes: { rules: [{ by: 'account', max: 60_000, per: MINUTE }] },
  /** Opening a live connection. Everybody behind one address may come back at once after a restart. */
  connect: {
    rules: [
      { by: 'account', max: 120, per: MINUTE },
      { by: 'address', max: 3_000, per: MINUTE },
    ],
  },
} as const satisfies Record<RateLimitClass, Limit>;
