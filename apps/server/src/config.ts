import { Value } from 'typebox/value';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { normalizeEmail } from '@parley/contract';
import { describeVariables, Variables } from './config-variables.ts';
import { parseObjectStore, type ObjectStoreSettings } from './object-store-settings.ts';

/** Limits on the resources that accounts may use; undefined means no limit. */
export interface Quotas {
  /** Total bytes of uploads per account. */
  readonly mediaPerUser: number | undefined;
  /** Bytes that an account may upload per minute. */
  readonly mediaPerMinute: number | undefined;
  /** Total bytes of uploads of all accounts. */
  readonly mediaTotal: number | undefined;
  /** Messages per account and day (UTC). */
  readonly messagesPerDay: number | undefined;
}

/** The validated, frozen settings of the server. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Absolute path. */
  readonly dataDir: string;
  /** URL of a PostgreSQL database; if undefined, the database is a file in the data folder. */
  readonly databaseUrl: string | undefined;
  /** Object storage of the media; if undefined, they are files in the data folder. */
  readonly mediaStore: ObjectStoreSettings | undefined;
  /** Maximum bytes of local copies of media in object storage; 0 for none. */
  readonly mediaCacheBytes: number;
  /** Origin without a trailing slash; if undefined, the host of each request is used. */
  readonly publicUrl: string | undefined;
  /** Origins that push messages may be sent to in addition to those of public push services. */
  readonly pushOrigins: readonly string[];
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  readonly mediaUrl: string | undefined;
  readonly avatarUrl: string | undefined;
  readonly emojiUrl: string | undefined;
  readonly trustProxy: boolean | string[];
  readonly registration: 'open' | 'invite' | 'closed';
  /** Whether invitation links of users allow registration if it is by invitation. */
  readonly userInvitations: boolean;
  /** Lower-case domains of the email addresses that may register; empty if all may. */
  readonly allowedDomains: readonly string[];
  readonly quotas: Quotas;
  /** Bytes of free disk space below which uploads are refused; 0 to disable the check. */
  readonly freeSpaceMin: number;
  /** Days after which messages and uploads are deleted; undefined to keep them. */
  readonly retentionDays: number | undefined;
  readonly metricsToken: string | undefined;
  readonly rateLimits: boolean;
  readonly logLevel: string;
  /** Whether the IP addresses of failed logins are logged. */
  readonly logFailedLogins: boolean;
  readonly operator: {
    readonly name?: string;
    readonly address?: string;
    readonly email?: string;
    readonly website?: string;
    readonly sourceUrl?: string;
    readonly demoUrl?: string;
  };
}

/** Invalid variables. Each problem is a sentence for the operator. */
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
 * @throws {ConfigError} listing all invalid values and unknown PARLEY_ variables together.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith('PARLEY_') || value === undefined || value === '') continue;
    if (!Object.hasOwn(Variables.properties, name)) {
      problems.push(`${name} is not a Parley variable.`);
      continue;
    }
    given[name] = isInteger(name) && /^\d+$/.test(value) ? Number(value) : value;
  }
  const values = Value.Default(Variables, given) as Record<string, unknown>;
  for (const { name, description } of describeVariables()) {
    if (!isValid(name, values[name]))
      problems.push(`${name} has an invalid value: ${description}.`);
    else problems.push(...(EXTRA_CHECKS[name]?.(env[name] ?? '', env) ?? []));
  }
  if (problems.length > 0 || !Value.Check(Variables, values)) throw new ConfigError(problems);
  return toConfig(values, env);
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Checks beyond the schema. Each receives the value (empty if unset) and the environment, and
 * returns problems.
 */
const EXTRA_CHECKS: Record<string, (value: string, env: Environment) => readonly string[]> = {
  PARLEY_MEDIA_STORE: (value, env) => {
    const parsed = value === '' ? [] : parseObjectStore(value, env);
    return 'bucket' in parsed ? [] : parsed;
  },
  PARLEY_PUBLIC_URL: (value) =>
    value === '' || isOrigin(value)
      ? []
      : [
          'PARLEY_PUBLIC_URL must be the URL of a site without a path, such as https://chat.example.org.',
        ],
  PARLEY_PUSH_ORIGINS: (value) =>
    parseList(value)
      .filter((entry) => !/^https?:\/\//.test(entry) || !isOrigin(entry))
      .map(
        (entry) =>
          `PARLEY_PUSH_ORIGINS contains '${entry}', which is not an origin such as https://push.example.org:8443.`,
      ),
  PARLEY_SMTP_URL: (value) =>
    value === '' || URL.canParse(value) ? [] : ['PARLEY_SMTP_URL is not the URL of a mail server.'],
  PARLEY_TRUST_PROXY: (value) =>
    ['', 'true', 'false'].includes(value)
      ? []
      : parseList(value)
          .filter((entry) => !isNetwork(entry))
          .map(
            (entry) =>
              `PARLEY_TRUST_PROXY contains '${entry}', which is neither an IP address nor a network such as 10.0.0.0/8.`,
          ),
};

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    maxBits > 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d+$/.test(bits) && +bits <= maxBits))
  );
}

function toOrigin(value: string): string {
  return new URL(value).origin;
}

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return (
    url !== null &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '' &&
    url.username === ''
  );
}

/**
 * Validates a single variable, because validating all at once reports only the first few errors.
 */
function isValid(name: string, value: unknown): boolean {
  return value === undefined || Value.Check(Variables.properties[name as keyof Variables], value);
}

function isInteger(name: string): boolean {
  const property = (Variables.properties as Record<string, { type?: unknown }>)[name];
  return property?.type === 'integer';
}

function toConfig(v: Variables, env: Environment): Config {
  return Object.freeze({
    host: v.PARLEY_HOST,
    port: v.PARLEY_PORT,
    dataDir: resolve(v.PARLEY_DATA),
    databaseUrl: v.PARLEY_DATABASE_URL,
    mediaStore: getObjectStore(v.PARLEY_MEDIA_STORE, env),
    mediaCacheBytes: parseBytes(v.PARLEY_MEDIA_CACHE) ?? 0,
    publicUrl: v.PARLEY_PUBLIC_URL === undefined ? undefined : new URL(v.PARLEY_PUBLIC_URL).origin,
    pushOrigins: Object.freeze(parseList(v.PARLEY_PUSH_ORIGINS).map(toOrigin)),
    smtpUrl: v.PARLEY_SMTP_URL,
    mailFrom: v.PARLEY_MAIL_FROM,
    mediaUrl: v.PARLEY_MEDIA_URL?.replace(/\/*$/, '/'),
    avatarUrl: v.PARLEY_AVATAR_URL,
    emojiUrl: v.PARLEY_EMOJI_URL,
    trustProxy: trustProxy(v.PARLEY_TRUST_PROXY),
    registration: v.PARLEY_REGISTRATION,
    userInvitations: v.PARLEY_USER_INVITATIONS === 'true',
    allowedDomains: Object.freeze(
      parseList(v.PARLEY_ALLOWED_DOMAINS).map((domain) => normalizeEmail(`@${domain}`).slice(1)),
    ),
    quotas: Object.freeze({
      mediaPerUser: parseBytes(v.PARLEY_QUOTA_MEDIA_PER_USER),
      mediaPerMinute: parseBytes(v.PARLEY_QUOTA_MEDIA_PER_MINUTE),
      mediaTotal: parseBytes(v.PARLEY_QUOTA_MEDIA_TOTAL),
      messagesPerDay: v.PARLEY_QUOTA_MESSAGES_PER_DAY,
    }),
    freeSpaceMin: parseBytes(v.PARLEY_FREE_SPACE_MIN) ?? 0,
    retentionDays: v.PARLEY_RETENTION_DAYS,
    metricsToken: v.PARLEY_METRICS_TOKEN,
    rateLimits: v.PARLEY_RATE_LIMITS === 'true',
    logLevel: v.PARLEY_LOG_LEVEL,
    logFailedLogins: v.PARLEY_LOG_FAILED_LOGINS === 'true',
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

function getObjectStore(
  value: string | undefined,
  env: Environment,
): ObjectStoreSettings | undefined {
  if (value === undefined) return undefined;
  const parsed = parseObjectStore(value, env);
  return 'bucket' in parsed ? Object.freeze(parsed) : undefined;
}

function trustProxy(value: string): boolean | string[] {
  if (value === 'true') return true;
  if (value === 'false') return false;
  return parseList(value);
}

function parseList(value = ''): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

const UNITS: Record<string, number> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

function parseBytes(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const [, digits, unit = ''] = /^(\d+)([KMGT]?)$/.exec(value) ?? [];
  const count = Number(digits) * (UNITS[unit] ?? 1);
  return count === 0 ? undefined : count;
}
