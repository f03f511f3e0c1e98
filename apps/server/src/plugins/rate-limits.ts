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
import { RATE_LIMITS, type Limit, type Rule, type Subject } from './rate-limit-rules.ts';
import { createWindowCounter, type WindowCounter } from './window-counter.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Returns what a request costs, from its validated body. By default each request costs 1. */
    cost?: (body: never) => number;
  }
  interface FastifyRequest {
    /** Id of the device if the account with the email in the body has logged in on it before. */
    knownDevice: string | undefined;
    /** Refunds for limits that count only failures, called unless the request fails with 4xx. */
    refunds: (() => void)[] | undefined;
  }
}

/** Finds the id of the request's device if the account with `email` has logged in on it before. */
type FindKnownDevice = (request: FastifyRequest, email: string) => Promise<string | undefined>;

/** A rule with its counter. */
interface CountedRule {
  readonly rule: Rule;
  readonly counter: WindowCounter;
  readonly onlyAfter: CountedRule | undefined;
}

/** A limit with the counters of its rules, shared by all routes of a rate-limit class. */
interface CountedLimit {
  readonly limit: Limit;
  readonly rules: readonly CountedRule[];
  readonly known: readonly CountedRule[];
}

/**
 * Enforces the rate limits of endpoints: requests above them get `rate_limited` and `Retry-After`.
 * Register it before the routes. If rate limits are disabled, it only recognizes known devices.
 */
export function registerRateLimits(
  app: App,
  { config }: Pick<Context, 'config'>,
  findKnownDevice: FindKnownDevice,
): void {
  app.decorateRequest('knownDevice', undefined);
  app.decorateRequest('refunds', undefined);
  const limits = new Map<string, CountedLimit>();
  for (const [name, limit] of Object.entries<Limit>(RATE_LIMITS)) {
    const rules = limit.rules.map(createCountedRule);
    limits.set(name, { limit, rules, known: limit.known?.map(createCountedRule) ?? [] });
  }

  app.addHook('onRoute', (route) => {
    const { endpoint, cost } = route.config ?? {};
    const found = getLimitClasses(endpoint).flatMap((name) => limits.get(name) ?? []);
    if (found.length === 0) return;
    const isBodyNeeded = cost !== undefined || found.some(({ rules }) => rules.some(needsBody));
    const check = async (request: FastifyRequest) => {
      if (isBodyNeeded) await recognizeDevice(request, findKnownDevice);
      if (!config.rateLimits) return;
      for (const limit of found) enforceLimit(limit, request, cost?.(request.body as never));
    };
    // A check that does not need the body runs before the body is read, but after the session is
    // loaded.
    if (isBodyNeeded) route.preHandler = [...toArray(route.preHandler), check];
    else route.onRequest = [...toArray(route.onRequest), check];
    if (found.some(({ limit }) => limit.onlyFailures)) {
      route.onSend = [...toArray(route.onSend), refundUnlessRejected];
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

function createCountedRule(rule: Rule): CountedRule {
  const counter = createWindowCounter(rule.max, rule.per);
  return { rule, counter, onlyAfter: rule.onlyAfter && createCountedRule(rule.onlyAfter) };
}

function needsBody({ rule }: CountedRule): boolean {
  return rule.by.startsWith('mailbox');
}

/** @throws {AppError} `rate_limited` */
function enforceLimit(
  countedLimit: CountedLimit,
  request: FastifyRequest,
  cost: number | undefined,
): void {
  const { limit } = countedLimit;
  const rules = request.knownDevice === undefined ? countedLimit.rules : countedLimit.known;
  const refunds: (() => void)[] = [];
  const consume = ({ rule, counter }: CountedRule) => {
    const subject = SUBJECTS[rule.by](request);
    const retryAfter = counter.consume(subject, cost);
    if (retryAfter === undefined) refunds.push(() => counter.refund(subject, cost));
    return retryAfter;
  };
  for (const counted of rules) {
    const { onlyAfter } = counted;
    const isActive = onlyAfter === undefined || consume(onlyAfter) !== undefined;
    const retryAfter = consume(counted);
    if (retryAfter === undefined || !isActive) continue;
    // A rejected request consumes nothing of this limit.
    for (const refund of refunds) refund();
    throw new AppError('rate_limited', { retryAfter });
  }
  if (limit.onlyFailures) (request.refunds ??= []).push(...refunds);
}

/**
 * Refunds the request unless it failed with 4xx. Other errors, such as 503, are not failed
 * attempts.
 */
async function refundUnlessRejected(
  request: FastifyRequest,
  { statusCode }: FastifyReply,
): Promise<void> {
  if (statusCode >= 400 && statusCode < 500) return;
  for (const refund of request.refunds ?? []) refund();
}

async function recognizeDevice(
  request: FastifyRequest,
  findKnownDevice: FindKnownDevice,
): Promise<void> {
  const email = getMailbox(request);
  if (email !== '') request.knownDevice = await findKnownDevice(request, email);
}

const SUBJECTS: Record<Subject, (request: FastifyRequest) => string> = {
  address: clientNetwork,
  account: (request) => request.session.userId ?? clientNetwork(request),
  mailbox: getMailbox,
  'mailbox-at-address': (request) => `${clientNetwork(request)} ${getMailbox(request)}`,
  device: (request) => request.knownDevice ?? '',
};

function getMailbox({ body }: FastifyRequest): string {
  const email =
    typeof body === 'object' && body !== null && 'email' in body ? body.email : undefined;
  return typeof email === 'string' ? normalizeEmail(email) : '';
}
