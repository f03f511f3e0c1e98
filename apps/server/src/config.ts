import { Value } from 'typebox/value';
import { resolve } from 'node:path';
import { describeVariables, Variables } from './config-variables.ts';

/** What accounts may use up; undefined where there is no bound. */
export interface Quotas {
  /** Bytes of uploads of one account. */
  readonly mediaPerUser: number | undefined;
  /** Bytes of uploads of all accounts. */
  readonly mediaTotal: number | undefined;
  /** Messages of one account on one day (UTC). */
  readonly messagesPerDay: number | undefined;
}

/** The server's settings, checked and frozen. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Absolute path. */
  readonly dataDir: string;
  /** Origin without a trailing slash; undefined if the host of each request counts. */
  readonly publicUrl: string | undefined;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  readonly mediaUrl: string | undefined;
  readonly avatarUrl: string | undefined;
  readonly trustProxy: boolean | string[];
  readonly registration: 'open' | 'invite' | 'closed';
  /** Domains of the mail addresses that may register, in lower case; empty if all may. */
  readonly allowedDomains: readonly string[];
  readonly quotas: Quotas;
  /** Days after which messages and uploads are deleted; undefined if they stay. */
  readonly retentionDays: number | undefined;
  readonly metricsToken: string | undefined;
  readonly rateLimits: boolean;
  readonly logLevel: string;
  readonly operator: {
    readonly name?: string;
    readonly address?: string;
    readonly email?: string;
    readonly website?: string;
    readonly sourceUrl?: string;
    readonly demoUrl?: string;
  };
}

/** A variable that cannot be used. The message is one sentence for the person who set it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the settings from the environment.
 * @throws {ConfigError} for a value that does not fit, and for a PARLEY_ variable that does not exist.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith('PARLEY_') || value === undefined || value === '') continue;
    if (!Object.hasOwn(Variables.properties, name)) {
      throw new ConfigError(`${name} is not a variable of Parley.`);
    }
    given[name] = isInteger(name) && /^\d+$/.test(value) ? Number(value) : value;
  }
  const values: unknown = Value.Default(Variables, given);
  if (!Value.Check(Variables, values)) {
    const name = Value.Errors(Variables, values)[0]?.instancePath.slice(1) ?? '';
    const expected = describeVariables().find((variable) => variable.name === name);
    throw new ConfigError(`${name} has a value that does not fit: ${expected?.description}.`);
  }
  return toConfig(values);
}

function isInteger(name: string): boolean {
  const property = (Variables.properties as Record<string, { type?: unknown }>)[name];
  return property?.type === 'integer';
}

function toConfig(v: Variables): Config {
  return Object.freeze({
    host: v.PARLEY_HOST,
    port: v.PARLEY_PORT,
    dataDir: resolve(v.PARLEY_DATA),
    publicUrl: v.PARLEY_PUBLIC_URL === undefined ? undefined : originOf(v.PARLEY_PUBLIC_URL),
    smtpUrl: v.PARLEY_SMTP_URL,
    mailFrom: v.PARLEY_MAIL_FROM,
    mediaUrl: v.PARLEY_MEDIA_URL?.replace(/\/*$/, '/'),
    avatarUrl: v.PARLEY_AVATAR_URL,
    trustProxy: trustProxy(v.PARLEY_TRUST_PROXY),
    registration: v.PARLEY_REGISTRATION,
    allowedDomains: Object.freeze(list(v.PARLEY_ALLOWED_DOMAINS?.toLowerCase())),
    quotas: Object.freeze({
      mediaPerUser: bytes(v.PARLEY_QUOTA_MEDIA_PER_USER),
      mediaTotal: bytes(v.PARLEY_QUOTA_MEDIA_TOTAL),
      messagesPerDay: v.PARLEY_QUOTA_MESSAGES_PER_DAY,
    }),
    retentionDays: v.PARLEY_RETENTION_DAYS,
    metricsToken: v.PARLEY_METRICS_TOKEN,
    rateLimits: v.PARLEY_RATE_LIMITS === 'true',
    logLevel: v.PARLEY_LOG_LEVEL,
    operator: Object.freeze({
      ...(v.PARLEY_OPERATOR_NAME !== undefined && { name: v.PARLEY_OPERATOR_NAME }),
      ...(v.PARLEY_OPERATOR_ADDRESS !== undefined && { address: v.PARLEY_OPERATOR_ADDRESS }),
      ...(v.PARLEY_OPERATOR_EMAIL !== undefined && { email: v.PARLEY_OPERATOR_EMAIL }),
      ...(v.PARLEY_OPERATOR_WEBSITE !== undefined && { website: v.PARLEY_OPERATOR_WEBSITE }),
      ...(v.PARLEY_SOURCE_URL !== undefined && { sourceUrl: v.PARLEY_SOURCE_URL }),
      ...(v.PARLEY_DEMO_URL !== undefined && { demoUrl: v.PARLEY_DEMO_URL }),
    }),
  });
}

function originOf(value: string): string {
  const url = URL.parse(value);
  if (url === null || url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new ConfigError(
      'PARLEY_PUBLIC_URL has to be the address of a site without a path, such as https://chat.example.org.',
    );
  }
  return url.origin;
}

function trustProxy(value: string): boolean | string[] {
  if (value === 'true') return true;
  if (value === 'false') return false;
  return list(value);
}

function list(value = ''): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

const UNITS: Record<string, number> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

function bytes(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const [, digits, unit = ''] = /^(\d+)([KMGT]?)$/.exec(value) ?? [];
  return Number(digits) * (UNITS[unit] ?? 1);
}
