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
    /** What a request uses up of its endpoint's limits, known once the body is checked; 1 without this. */
    cost?: (body: never) => number;
  }
  interface FastifyRequest {
    /** By which number the device is known for the mail address in the body, if it is. */
    knownDevice: string | undefined;
    /** Takes back what this request used up of limits that count only failures. */
    refunds: (() => void)[] | undefined;
  }
}

/** Finds the number by which a request's device is known for the account with a mail address. */
type FindKnownDevice = (request: FastifyRequest, email: string) => Promise<string | undefined>;

/** A rule with its counts. */
interface CountedRule {
  readonly rule: Rule;
  readonly counter: WindowCounter;
  readonly once: CountedRule | undefined;
}

/** The rules of one limit with their counts, which all routes under it share. */
interface CountedLimit {
  readonly limit: Limit;
  readonly rules: readonly CountedRule[];
  readonly known: readonly CountedRule[];
}

/**
 * Counts requests to endpoints with a `limit` and refuses those above it with `rate_limited` and
 * `Retry-After`. Has to be registered before the routes. Does nothing if the limits are switched off.
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
    const rules = limit.rules.map(withCounter);
    limits.set(name, { limit, rules, known: limit.known?.map(withCounter) ?? [] });
  }

  app.addHook('onRoute', (route) => {
    const { endpoint, cost } = route.config ?? {};
    const found = findLimits(endpoint).flatMap((name) => limits.get(name) ?? []);
    if (found.length === 0) return;
    const readsBody = cost !== undefined || found.some(({ rules }) => rules.some(needsBody));
    const check = async (request: FastifyRequest) => {
      if (readsBody) await recognizeDevice(request, findKnownDevice);
      if (!config.rateLimits) return;
      for (const limit of found) apply(limit, request, cost?.(request.body as never));
    };
    // Where its content does not matter, before the body is read; after the session is known.
    if (readsBody) route.preHandler = [...toArray(route.preHandler), check];
    else route.onRequest = [...toArray(route.onRequest), check];
    if (found.some(({ limit }) => limit.onlyFailures)) {
      route.onSend = [...toArray(route.onSend), refundSuccess];
    }
  });
}

/** Returns the limits that an endpoint is under. */
function findLimits(endpoint: EndpointName | null | undefined): readonly RateLimitClass[] {
  if (endpoint === undefined || endpoint === null) return [];
  const { limit }: EndpointSchema = endpointSchemas[endpoint];
  return [limit ?? []].flat();
}

function toArray<T>(own: T | T[] | undefined): T[] {
  if (own === undefined) return [];
  return Array.isArray(own) ? own : [own];
}

function withCounter(rule: Rule): CountedRule {
  const counter = createWindowCounter(rule.max, rule.per);
  return { rule, counter, once: rule.once && withCounter(rule.once) };
}

function needsBody({ rule }: CountedRule): boolean {
  return rule.by.startsWith('mailbox');
}

/** @throws {AppError} `rate_limited` */
function apply(counted: CountedLimit, request: FastifyRequest, cost: number | undefined): void {
  const { limit } = counted;
  const rules = request.knownDevice === undefined ? counted.rules : counted.known;
  const refunds: (() => void)[] = [];
  const consume = ({ rule, counter }: CountedRule) => {
    const subject = SUBJECTS[rule.by](request);
    const retryAfter = counter.consume(subject, cost);
    if (retryAfter === undefined) refunds.push(() => counter.refund(subject, cost));
    return retryAfter;
  };
  for (const one of rules) {
    const { once } = one;
    const holds = once === undefined || consume(once) !== undefined;
    const retryAfter = consume(one);
    if (retryAfter === undefined || !holds) continue;
    // What is refused uses up nothing.
    for (const refund of refunds) refund();
    throw new AppError('rate_limited', { retryAfter });
  }
  if (limit.onlyFailures) (request.refunds ??= []).push(...refunds);
}

/** A response that is no answer about a password or key, such as 503, counts as no failure either. */
async function refundSuccess(request: FastifyRequest, { statusCode }: FastifyReply): Promise<void> {
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
