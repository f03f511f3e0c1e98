import fastifyRateLimit, { normalizeIP, type RateLimitOptions } from '@fastify/rate-limit';
import { normalizeEmail } from '@parley/contract';
import type { FastifyRequest } from 'fastify';
import type { App, Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';

/**
 * What a limit is counted by: the network address (IPv6 by its /64), the signed-in account, the
 * mail address in the body, or that mail address together with the network address.
 */
type Subject = 'address' | 'account' | 'mailbox' | 'mailbox-at-address';

interface Rule {
  readonly by: Subject;
  /** Requests that are let through in each window. */
  readonly max: number;
  /** Length of the window in seconds. */
  readonly per: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * The limits of every route that names one of them: `config: { limit: 'send' }`. All rules of a
 * limit hold at once, and routes with the same name share their counts. They bite where guessing or
 * flooding pays; a person who chats in a hurry, or a household behind one address, meets none.
 */
const LIMITS = {
  // Guessing one password from one place is stopped soonest. The mailbox alone has a wide bound, or
  // anybody could lock somebody else out.
  login: [
    { by: 'address', max: 100, per: 15 * MINUTE },
    { by: 'mailbox-at-address', max: 10, per: 10 * MINUTE },
    { by: 'mailbox', max: 100, per: HOUR },
  ],
  /** Entering a key that was mailed. */
  keys: [
    { by: 'address', max: 60, per: 15 * MINUTE },
    { by: 'mailbox', max: 20, per: HOUR },
  ],
  register: [{ by: 'address', max: 30, per: HOUR }],
  /** Asking for a mail. */
  mail: [
    { by: 'address', max: 30, per: HOUR },
    { by: 'mailbox', max: 5, per: HOUR },
  ],
  /** Whatever asks for the current password. */
  password: [{ by: 'account', max: 10, per: 10 * MINUTE }],
  settings: [{ by: 'account', max: 120, per: MINUTE }],
  search: [{ by: 'account', max: 60, per: MINUTE }],
  upload: [{ by: 'account', max: 60, per: MINUTE }],
  /** New messages, rooms included. */
  send: [{ by: 'account', max: 300, per: MINUTE }],
  /** Edits and deletions. */
  change: [{ by: 'account', max: 300, per: MINUTE }],
  read: [{ by: 'account', max: 1_200, per: MINUTE }],
  /** Catching up, chat list and pages of messages. */
  sync: [{ by: 'account', max: 1_200, per: MINUTE }],
  /** Opening a live connection. Everybody behind one address may come back at once after a restart. */
  connect: [
    { by: 'account', max: 120, per: MINUTE },
    { by: 'address', max: 3_000, per: MINUTE },
  ],
} as const satisfies Record<string, readonly Rule[]>;

/** A limit that a route can be put under. */
export type LimitName = keyof typeof LIMITS;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The limit that holds for this route; without it, none does. */
    limit?: LimitName;
  }
}

/** How many subjects a rule remembers; the ones not seen for longest are forgotten first. */
const SUBJECTS_MAX = 20_000;

type Check = (request: FastifyRequest) => Promise<void>;

/**
 * Counts requests to routes with a `limit` and refuses those above it with `rate_limited` and
 * `Retry-After`. Has to be registered before the routes. Does nothing if the limits are switched off.
 */
export async function registerRateLimits(
  app: App,
  { config }: Pick<Context, 'config'>,
): Promise<void> {
  if (!config.rateLimits) return;
  await app.register(fastifyRateLimit, { global: false });

  const checks = new Map<LimitName, { early: Check[]; late: Check[] }>();
  for (const [name, rules] of Object.entries<readonly Rule[]>(LIMITS)) {
    const isLate = (rule: Rule) => rule.by.startsWith('mailbox');
    checks.set(name as LimitName, {
      early: rules.filter((rule) => !isLate(rule)).map((rule) => createCheck(app, rule)),
      late: rules.filter(isLate).map((rule) => createCheck(app, rule)),
    });
  }

  app.addHook('onRoute', (route) => {
    const name = route.config?.limit;
    const found = name && checks.get(name);
    if (!found) return;
    // Before the body is read where its content does not matter; after the session is known.
    route.onRequest = [...hooks(route.onRequest), ...found.early];
    route.preHandler = [...hooks(route.preHandler), ...found.late];
  });
}

function hooks<T>(own: T | T[] | undefined): T[] {
  if (own === undefined) return [];
  return Array.isArray(own) ? own : [own];
}

function createCheck(app: App, { by, max, per }: Rule): Check {
  const options: RateLimitOptions = {
    max,
    timeWindow: per * 1000,
    cache: SUBJECTS_MAX,
    keyGenerator: SUBJECTS[by],
  };
  const count = app.createRateLimit(options);
  return async (request) => {
    const result = await count(request);
    if (result.isAllowed || !result.isExceeded) return;
    throw new AppError('rate_limited', { retryAfter: Math.max(1, result.ttlInSeconds) });
  };
}

const SUBJECTS: Record<Subject, (request: FastifyRequest) => string> = {
  address,
  account: (request) => request.session.userId ?? address(request),
  mailbox,
  'mailbox-at-address': (request) => `${address(request)} ${mailbox(request)}`,
};

function address(request: FastifyRequest): string {
  return normalizeIP(request.ip);
}

function mailbox({ body }: FastifyRequest): string {
  const email =
    typeof body === 'object' && body !== null && 'email' in body ? body.email : undefined;
  return typeof email === 'string' ? normalizeEmail(email) : '';
}
