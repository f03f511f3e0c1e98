import type { RateLimitClass } from '@parley/contract/schemas';
import type { Config } from '../config.ts';

/**
 * The subject that a rule counts by: the client's network (`address`), the current user
 * (`account`), the email address in the body (`mailbox`), that email address together with the
 * network (`mailbox-at-address`), the account with that email address for all browsers together in
 * which it has logged in before (`known-account`), or what the handler gives (`charged`).
 */
export type Subject =
  | 'address'
  | 'account'
  | 'mailbox'
  | 'mailbox-at-address'
  | 'known-account'
  | 'charged';

/** Limits what a subject may consume within a time window. */
export interface Rule {
  readonly by: Subject;
  /** Maximum number of requests per window, or their total cost. */
  readonly max: number;
  /** Length of the window, in seconds. */
  readonly per: number;
  /**
   * If set, the rule applies only once this other rule is exceeded. The other rule alone rejects
   * nothing.
   */
  readonly onlyAfter?: Omit<Rule, 'onlyAfter'>;
}

/** A set of rules that all apply. */
export interface Limit {
  readonly rules: readonly Rule[];
  /**
   * Applies to requests from a device that is known for the email address. They are allowed within
   * these rules or within `rules`, and count in both.
   */
  readonly known?: readonly Rule[];
  /**
   * Applies to registrations with an invitation that can be used. They are allowed within these rules
   * or within `rules`, and count in both.
   */
  readonly invited?: readonly Rule[];
  /** Which requests count: those that fail with 4xx, or with 413, or those that succeed. By default all do. */
  readonly counts?: 'failures' | 'excesses' | 'successes';
  /** Whether only those requests count that their handlers charge. */
  readonly isCharged?: true;
  /** Whether all servers on a database count together. Otherwise each process counts on its own. */
  readonly isShared?: true;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Emails that a network may request per hour, unless more users may register there. */
const MAILS_PER_NETWORK = 30;

/** How many times as many users with an invitation may register, which limits them already. */
const INVITED_FACTOR = 10;

/**
 * Returns the rate limits by class, as the endpoint table references them. They stop guessing and flooding;
 * a user who chats quickly or a household behind one address does not reach them.
 *
 * Attackers cannot lock out the owner of an account: failures count by email address and network
 * together, and devices on which the owner has logged in before have attempts of their own. They share
 * these, since an attacker who knows a password can log in on any number of devices.
 */
export function createRateLimits({ registrationsPerHour }: Pick<Config, 'registrationsPerHour'>) {
  return {
    login: {
      isShared: true,
      counts: 'failures',
      rules: [
        { by: 'address', max: 100, per: 15 * MINUTE },
        { by: 'mailbox-at-address', max: 10, per: 10 * MINUTE },
        // Guessing from many networks: each network is then limited to two attempts per hour, and
        // the owner can still log in from a new network with the correct password.
        {
          by: 'mailbox-at-address',
          max: 2,
          per: HOUR,
          onlyAfter: { by: 'mailbox', max: 100, per: HOUR },
        },
      ],
      known: [{ by: 'known-account', max: 10, per: 10 * MINUTE }],
    },
    /**
     * Logins with the correct password, by account and password: only who knows it can use them up, and
     * the owner can log in after changing or resetting it.
     */
    logins: { isShared: true, isCharged: true, rules: [{ by: 'charged', max: 60, per: HOUR }] },
    /** Entering an emailed key. In addition, each key allows five attempts in total. */
    keys: {
      isShared: true,
      counts: 'failures',
      rules: [
        { by: 'address', max: 60, per: 15 * MINUTE },
        { by: 'mailbox-at-address', max: 10, per: HOUR },
      ],
      known: [{ by: 'known-account', max: 10, per: HOUR }],
    },
    /**
     * Requesting an email. The rules by `mailbox` limit the emails to one address from all networks.
     */
    mail: {
      isShared: true,
      rules: [
        // A class that registers together also asks for new keys together.
        { by: 'address', max: Math.max(MAILS_PER_NETWORK, registrationsPerHour), per: HOUR },
        { by: 'mailbox-at-address', max: 5, per: HOUR },
        { by: 'mailbox', max: 20, per: HOUR },
        { by: 'mailbox', max: 60, per: DAY },
      ],
      known: [
        { by: 'known-account', max: 5, per: HOUR },
        { by: 'known-account', max: 20, per: DAY },
      ],
    },
    /** Trying to register. A class or a company may share an address. */
    register: {
      isShared: true,
      rules: [{ by: 'address', max: registrationsPerHour, per: HOUR }],
      invited: [{ by: 'address', max: INVITED_FACTOR * registrationsPerHour, per: HOUR }],
    },
    /**
     * A successful registration sends an email, and the fourth one of an email address replaces the first.
     * A network cannot replace a registration within an hour, and twelve networks are needed to use up the
     * emails of a day.
     */
    registrations: {
      isShared: true,
      counts: 'successes',
      rules: [
        { by: 'mailbox-at-address', max: 2, per: HOUR },
        { by: 'mailbox-at-address', max: 5, per: DAY },
        { by: 'mailbox', max: 60, per: DAY },
      ],
    },
    /** Operations that require the current password. */
    password: { isShared: true, rules: [{ by: 'account', max: 10, per: 10 * MINUTE }] },
    settings: { rules: [{ by: 'account', max: 120, per: MINUTE }] },
    /** Operations that reveal whether a username exists. */
    search: { rules: [{ by: 'account', max: 60, per: MINUTE }] },
    /** Creating an invitation link. */
    invite: { isShared: true, rules: [{ by: 'account', max: 20, per: HOUR }] },
    /** Looking up an invitation, or taking back an address, by the code in a link and without a session. */
    preview: {
      isShared: true,
      counts: 'failures',
      rules: [{ by: 'address', max: 60, per: 15 * MINUTE }],
    },
    /** Making an archive with the data of a user, which may take many minutes of work. */
    export: { isShared: true, counts: 'successes', rules: [{ by: 'account', max: 5, per: HOUR }] },
    /** Exports, which may be large, and what is left of interrupted downloads. */
    download: { rules: [{ by: 'account', max: 60, per: 10 * MINUTE }] },
    /** Reporting a user to the operator. Rejected reports do not use up the few of a day. */
    report: { isShared: true, counts: 'successes', rules: [{ by: 'account', max: 5, per: DAY }] },
    /** Tests of notifications, each of which waits for the push service. */
    push: { rules: [{ by: 'account', max: 10, per: MINUTE }] },
    upload: { rules: [{ by: 'account', max: 60, per: MINUTE }] },
    /** Uploads that are too large or too complex. Finding that out may take half a second, in which others wait. */
    inspection: {
      counts: 'excesses',
      // Not by address, as one user of a network could then keep the others from uploading.
      rules: [{ by: 'account', max: 20, per: 10 * MINUTE }],
    },
    /** New messages and chatrooms. */
    send: { rules: [{ by: 'account', max: 300, per: MINUTE }] },
    /** Edits and deletions. */
    change: { rules: [{ by: 'account', max: 300, per: MINUTE }] },
    read: { rules: [{ by: 'account', max: 1_200, per: MINUTE }] },
    /** The chat list and pages of messages. */
    sync: { rules: [{ by: 'account', max: 1_200, per: MINUTE }] },
    /** Resyncs; the cost is the number of chatrooms plus a constant (see the route). */
    changes: { rules: [{ by: 'account', max: 60_000, per: MINUTE }] },
    /**
     * Searching messages; the cost is about the milliseconds of work (see the route). Of a million messages, it allows to
     * look for a few words of common trigrams, whose search takes about 50 requests, or for hundreds of others.
     */
    find: { rules: [{ by: 'account', max: 6_000, per: MINUTE }] },
    /** Files, and parts of recordings. A page of a gallery has a hundred. */
    media: { rules: [{ by: 'account', max: 3_000, per: MINUTE }] },
    /**
     * Opening a live connection. After a restart, all clients behind one address may reconnect at
     * once.
     */
    connect: {
      rules: [
        { by: 'account', max: 120, per: MINUTE },
        { by: 'address', max: 3_000, per: MINUTE },
      ],
    },
  } satisfies Record<RateLimitClass, Limit>;
}
