import { normalizeEmail, type EndpointName } from '@parley/contract';
import {
  endpointSchemas,
  type EndpointSchema,
  type RateLimitClass,
} from '@parley/contract/schemas';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App, Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { clientNetwork } from '../http/client-address.ts';
import { loadSecret } from '../storage/secret.ts';
import {
  createLocalLimitCounter,
  createSharedLimitCounter,
  type AcceptedConsumption,
  type Consumption,
  type FindSubject,
  type LimitCounter,
} from './limit-counter.ts';
import { createRateLimits, type Limit, type Rule, type Subject } from './rate-limit-rules.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Returns what a request costs, from its validated body. By default each request costs 1. If it is only known
     * later, this is what is reserved until {@link settleCost}.
     */
    cost?: (body: never) => number;
  }
  interface FastifyRequest {
    /** Id of the account with the email in the body if it has logged in on the device before. */
    knownAccount: string | undefined;
    /** Whether the body of a registration has an invitation that can be used. */
    isInvited: boolean;
    /** Refunds for limits that count only failures or only successes. */
    refunds: Refund[] | undefined;
    /** Replace the cost of the request in its limits. */
    settlements: ((cost: number) => void)[] | undefined;
    /** Consume limits that the handler charges. */
    charges: ((subject: string) => Promise<void>)[] | undefined;
  }
}

/** What a request consumed of a limit, to be refunded once it turns out not to count. */
interface Refund {
  readonly counts: NonNullable<Limit['counts']>;
  readonly refund: () => void | Promise<void>;
}

/** Recognizes requests that limits treat differently. */
interface Recognition {
  /** Finds the id of the account with `email` if it has logged in on the request's device before. */
  readonly findKnownAccount: (
    request: FastifyRequest,
    email: string,
  ) => Promise<string | undefined>;
  /** Returns whether an invitation with this code can be used to register. */
  readonly isInvitation: (code: string) => Promise<boolean>;
}

/** A limit with the counters of its rules, shared by all routes of a rate-limit class. */
interface CountedLimit {
  readonly limit: Limit;
  readonly counter: LimitCounter;
  /** What some requests may consume in addition. */
  readonly additional: readonly AdditionalCounter[];
}

interface AdditionalCounter {
  readonly appliesTo: (request: FastifyRequest) => boolean;
  readonly counter: LimitCounter;
}

/** The requests that the additional rules of a limit apply to. */
const ADDITIONAL_RULES = {
  known: ({ knownAccount }: FastifyRequest) => knownAccount !== undefined,
  invited: ({ isInvited }: FastifyRequest) => isInvited,
} satisfies { [Name in keyof Limit]?: AdditionalCounter['appliesTo'] };

/**
 * Enforces the rate limits of endpoints: requests above them get `rate_limited` and `Retry-After`.
 * Register it before the routes. If rate limits are disabled, it only recognizes known devices.
 */
export async function registerRateLimits(
  app: App,
  { config, storage, cluster }: Pick<Context, 'config' | 'storage' | 'cluster'>,
  recognition: Recognition,
): Promise<void> {
  app.decorateRequest('knownAccount', undefined);
  app.decorateRequest('isInvited', false);
  app.decorateRequest('refunds', undefined);
  app.decorateRequest('settlements', undefined);
  app.decorateRequest('charges', undefined);
  const limits = new Map<string, CountedLimit>();
  const createCounter = await createCounterFactory(storage, cluster);
  for (const [name, limit] of Object.entries<Limit>(createRateLimits(config))) {
    const counter = createCounter(name, limit, limit.rules);
    const additional = Object.entries(ADDITIONAL_RULES).flatMap(([kind, appliesTo]) => {
      const rules = limit[kind as keyof typeof ADDITIONAL_RULES];
      return rules ? [{ appliesTo, counter: createCounter(`${name} ${kind}`, limit, rules) }] : [];
    });
    limits.set(name, { limit, counter, additional });
  }

  app.addHook('onRoute', (route) => {
    const { endpoint, cost } = route.config ?? {};
    const found = getLimitClasses(endpoint).flatMap((name) => limits.get(name) ?? []);
    if (found.length === 0) return;
    if (cost !== undefined && found.some(({ limit }) => limit.isShared)) {
      throw new Error(`a shared rate limit counts requests, but ${endpoint} has a cost`);
    }
    // A check that does not need the body runs before the body is read, but after the session is loaded.
    const { early = [], late = [] } = Object.groupBy(found, ({ limit }) =>
      cost !== undefined || limit.invited || limit.rules.some(needsBody) ? 'late' : 'early',
    );
    const enforce = async (limits: readonly CountedLimit[], request: FastifyRequest) => {
      if (!config.rateLimits) return;
      for (const limit of limits) await enforceLimit(limit, request, cost?.(request.body as never));
    };
    if (early.length > 0) {
      route.onRequest = [...toArray(route.onRequest), (request) => enforce(early, request)];
    }
    if (late.length > 0) {
      const check = async (request: FastifyRequest) => {
        await recognizeDevice(request, recognition);
        if (config.rateLimits && late.some(({ limit }) => limit.invited)) {
          await recognizeInvitation(request, recognition);
        }
        await enforce(late, request);
      };
      route.preHandler = [...toArray(route.preHandler), check];
    }
    if (found.some(({ limit }) => limit.counts !== undefined)) {
      route.onSend = [...toArray(route.onSend), refundUncounted];
    }
  });
}

/** Returns the rate-limit classes of an endpoint. */
function getLimitClasses(endpoint: EndpointName | null | undefined): readonly RateLimitClass[] {
  if (endpoint === undefined || endpoint === null) return [];
  const { limit }: EndpointSchema = endpointSchemas[endpoint];
  return [limit ?? []].flat();
}

function toArray<T>(hook: T | T[] | undefined): T[] {
  if (hook === undefined) return [];
  return Array.isArray(hook) ? hook : [hook];
}

/** Returns a function that creates the counter of a set of a limit's rules. */
async function createCounterFactory(
  storage: Context['storage'],
  { sharedCounters }: Context['cluster'],
): Promise<(name: string, limit: Limit, rules: readonly Rule[]) => LimitCounter> {
  if (sharedCounters === undefined) return (_name, _limit, rules) => createLocalLimitCounter(rules);
  const secret = await loadSecret(storage, 'rate-limits');
  return (name, limit, rules) =>
    limit.isShared
      ? createSharedLimitCounter(name, rules, sharedCounters, secret)
      : createLocalLimitCounter(rules);
}

function needsBody({ by }: Rule): boolean {
  return by.startsWith('mailbox');
}

/**
 * Consumes what a limit counts by itself. A request that additional rules apply to, such as one from a
 * known device, counts both as such and as any other, and is rejected only if both are exceeded: others
 * cannot hold it up.
 * @throws {AppError} `rate_limited`
 */
async function enforceLimit(
  { limit, counter, additional }: CountedLimit,
  request: FastifyRequest,
  cost: number | undefined,
): Promise<void> {
  if (limit.isCharged) {
    (request.charges ??= []).push(async (subject) => {
      getAccepted([await counter.consume(() => subject)]);
    });
    return;
  }
  const findSubject: FindSubject = (by) => SUBJECTS[by](request);
  const consumptions = [await counter.consume(findSubject, cost)];
  for (const { appliesTo, counter: further } of additional) {
    if (appliesTo(request)) consumptions.push(await further.consume(findSubject, cost));
  }
  const { counts } = limit;
  for (const { refund, settle } of getAccepted(consumptions)) {
    if (counts !== undefined) (request.refunds ??= []).push({ counts, refund });
    if (cost !== undefined && settle !== undefined) (request.settlements ??= []).push(settle);
  }
}

/**
 * Returns those of the consumptions that are within their limits.
 * @throws {AppError} `rate_limited` if there are none.
 */
function getAccepted(consumptions: readonly Consumption[]): AcceptedConsumption[] {
  const accepted = consumptions.filter((each) => each.retryAfter === undefined);
  if (accepted.length > 0) return accepted;
  const rejected = consumptions.filter((each) => each.retryAfter !== undefined);
  const [first] = rejected.toSorted((a, b) => a.retryAfter - b.retryAfter);
  throw new AppError('rate_limited', {
    retryAfter: first?.retryAfter ?? 0,
    limitedBy: first?.by === 'address' ? 'network' : undefined,
  });
}

/**
 * Counts a request in the limits that its handler charges, because only the handler knows whether and
 * for what subject it counts.
 * @throws {AppError} `rate_limited`
 */
export async function chargeLimits(request: FastifyRequest, subject: string): Promise<void> {
  for (const charge of request.charges ?? []) await charge(subject);
}

/** Replaces the cost that was reserved for a request by what it turned out to cost. */
export function settleCost(request: FastifyRequest, cost: number): void {
  for (const settle of request.settlements ?? []) settle(cost);
}

/** Refunds the request to the limits that do not count requests with its status. */
async function refundUncounted(
  request: FastifyRequest,
  { statusCode }: FastifyReply,
): Promise<void> {
  try {
    for (const { counts, refund } of request.refunds ?? []) {
      if (!isCounted(counts, statusCode)) await refund();
    }
  } catch (error) {
    request.log.warn({ err: error }, 'a rate limit could not be refunded');
  }
}

/** Errors such as 503 are neither failed attempts nor successes. */
function isCounted(counts: Refund['counts'], status: number): boolean {
  if (counts === 'excesses') return status === 413;
  return counts === 'successes' ? status < 400 : status >= 400 && status < 500;
}

async function recognizeDevice(
  request: FastifyRequest,
  { findKnownAccount }: Recognition,
): Promise<void> {
  const email = getMailbox(request);
  if (email !== '') request.knownAccount = await findKnownAccount(request, email);
}

async function recognizeInvitation(
  request: FastifyRequest,
  { isInvitation }: Recognition,
): Promise<void> {
  const code = getField(request, 'invitation');
  if (code !== undefined) request.isInvited = await isInvitation(code);
}

const SUBJECTS: Record<Subject, (request: FastifyRequest) => string> = {
  address: clientNetwork,
  account: (request) => request.session.userId ?? clientNetwork(request),
  mailbox: getMailbox,
  'mailbox-at-address': (request) => `${clientNetwork(request)} ${getMailbox(request)}`,
  'known-account': (request) => request.knownAccount ?? '',
  charged() {
    throw new Error('a limit with a charged subject needs isCharged');
  },
};

function getMailbox(request: FastifyRequest): string {
  return normalizeEmail(getField(request, 'email') ?? '');
}

/** Returns a field of the body if it is a string. */
function getField({ body }: FastifyRequest, name: string): string | undefined {
  const fields = new Map<string, unknown>(Object.entries(body ?? {}));
  const value = fields.get(name);
  return typeof value === 'string' ? value : undefined;
}
