import { Value } from 'typebox/value';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { describeVariables, Variables } from './config-variables.ts';

/** What accounts may use up; undefined where there is no bound. */
export interface Quotas {
  /** Bytes of uploads of one account. */
  readonly mediaPerUser: number | undefined;
  /** Bytes that one account may upload in a minute. */
  readonly mediaPerMinute: number | undefined;
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
  readonly emojiUrl: string | undefined;
  readonly trustProxy: boolean | string[];
  readonly registration: 'open' | 'invite' | 'closed';
  /** Domains of the mail addresses that may register, in lower case; empty if all may. */
  readonly allowedDomains: readonly string[];
  readonly quotas: Quotas;
  /** Bytes of free disk space below which uploads are refused; 0 for no floor. */
  readonly freeSpaceMin: number;
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

/** Variables that cannot be used; each problem is a sentence for the person who set them. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join(' '));
    this.problems = problems;
  }
}

/**
 * Reads the settings from the environment.
 * @throws {ConfigError} for values that do not fit, and for PARLEY_ variables that do not exist: all
 * of them at once, so that nobody mends them one start after the other.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith('PARLEY_') || value === undefined || value === '') continue;
    if (!Object.hasOwn(Variables.properties, name)) {
      problems.push(`${name} is not a variable of Parley.`);
      continue;
    }
    given[name] = isInteger(name) && /^\d+$/.test(value) ? Number(value) : value;
  }
  const values = Value.Default(Variables, given) as Record<string, unknown>;
  for (const { name, description } of describeVariables()) {
    if (!isFitting(name, values[name]))
      problems.push(`${name} has a value that does not fit: ${description}.`);
    else problems.push(...(FURTHER_CHECKS[name]?.(env[name] ?? '') ?? []));
  }
  if (problems.length > 0 || !Value.Check(Variables, values)) throw new ConfigError(problems);
  return toConfig(values);
}

/** What a pattern cannot say. Each gets the value, empty if there is none, and returns problems. */
const FURTHER_CHECKS: Record<string, (value: string) => string[]> = {
  PARLEY_PUBLIC_URL: (value) =>
    value === '' || isOrigin(value)
      ? []
      : [
          'PARLEY_PUBLIC_URL has to be the address of a site without a path, such as https://chat.example.org.',
        ],
  PARLEY_SMTP_URL: (value) =>
    value === '' || URL.canParse(value) ? [] : ['PARLEY_SMTP_URL is no address of a mail server.'],
  PARLEY_TRUST_PROXY: (value) =>
    ['', 'true', 'false'].includes(value)
      ? []
      : list(value)
          .filter((entry) => !isNetwork(entry))
          .map(
            (entry) =>
              `PARLEY_TRUST_PROXY names '${entry}', which is no IP address and no network such as 10.0.0.0/8.`,
          ),
};

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    most > 0 && rest.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && +bits <= most))
  );
}

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && url.pathname === '/' && url.search === '' && url.hash === '';
}

/** Asked of each by itself: the list of what is wrong with all of them ends after a few. */
function isFitting(name: string, value: unknown): boolean {
  return value === undefined || Value.Check(Variables.properties[name as keyof Variables], value);
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
    publicUrl: v.PARLEY_PUBLIC_URL === undefined ? undefined : new URL(v.PARLEY_PUBLIC_URL).origin,
    smtpUrl: v.PARLEY_SMTP_URL,
    mailFrom: v.PARLEY_MAIL_FROM,
    mediaUrl: v.PARLEY_MEDIA_URL?.replace(/\/*$/, '/'),
    avatarUrl: v.PARLEY_AVATAR_URL,
    emojiUrl: v.PARLEY_EMOJI_URL,
    trustProxy: trustProxy(v.PARLEY_TRUST_PROXY),
    registration: v.PARLEY_REGISTRATION,
    allowedDomains: Object.freeze(list(v.PARLEY_ALLOWED_DOMAINS?.toLowerCase())),
    quotas: Object.freeze({
      mediaPerUser: bytes(v.PARLEY_QUOTA_MEDIA_PER_USER),
      mediaPerMinute: bytes(v.PARLEY_QUOTA_MEDIA_PER_MINUTE),
      mediaTotal: bytes(v.PARLEY_QUOTA_MEDIA_TOTAL),
      messagesPerDay: v.PARLEY_QUOTA_MESSAGES_PER_DAY,
    }),
    freeSpaceMin: bytes(v.PARLEY_FREE_SPACE_MIN) ?? 0,
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
  const count = Number(digits) * (UNITS[unit] ?? 1);
  return count === 0 ? undefined : count;
}
