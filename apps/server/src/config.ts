import { Value } from 'typebox/value';
import { resolve } from 'node:path';
import { normalizeEmail } from '@parley/contract';
import { findValueProblem } from './config-checks/find-value-problem.ts';
import { parseList } from './config-checks/parse-list.ts';
import { Variables } from './config-variables.ts';
import {
  findKeyProblems,
  parseObjectStore,
  readKeys,
  type ObjectStoreSettings,
} from './config-checks/object-store-settings.ts';

/** Limits on the resources that accounts may use. Undefined means no limit, as the variables say with 0. */
export interface Quotas {
  /** Total bytes of uploads per account. */
  readonly mediaPerUser: number | undefined;
  /** Bytes that an account may upload per minute. */
  readonly mediaPerMinute: number | undefined;
  /** Total bytes of uploads of all accounts. */
  readonly mediaTotal: number | undefined;
  /** Total bytes of all exports that are ready. */
  readonly exportsTotal: number | undefined;
  /** Messages per account and day (UTC). Approximate from 2000 on. */
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
  /** Attempts to register from one network per hour; with an invitation, ten times as many. */
  readonly registrationsPerHour: number;
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
export function readConfig(variables: Record<string, string | undefined>): Config {
  const env = trimValues(variables);
  const given: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    // An empty value means unset, also with the line end of a file from Windows, but one of only spaces is a mistake.
    if (!name.startsWith('PARLEY_') || !variables[name]?.replace(/^\r?\n?$/, '')) continue;
    if (!isVariable(name)) {
      problems.push(`${name} is not a Parley variable.`);
      continue;
    }
    const parsed = isInteger(name) && /^\d+$/.test(value) ? Number(value) : value;
    const problem = findValueProblem(name, value, parsed);
    if (problem === undefined) given[name] = parsed;
    else problems.push(problem);
  }
  problems.push(...findKeyProblems(env));
  const values = Value.Default(Variables, given);
  if (problems.length > 0 || !Value.Check(Variables, values)) throw new ConfigError(problems);
  return toConfig(values, env);
}

type Environment = Readonly<Record<string, string>>;

/** Removes spaces around values, such as the line breaks of Windows in files with variables. */
function trimValues(variables: Record<string, string | undefined>): Environment {
  const entries = Object.entries(variables).map(([name, value = '']) => [name, value.trim()]);
  return Object.fromEntries(entries);
}

function isVariable(name: string): name is keyof Variables {
  return Object.hasOwn(Variables.properties, name);
}

function toOrigin(value: string): string {
  return new URL(value).origin;
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
    registrationsPerHour: v.PARLEY_REGISTRATIONS_PER_HOUR,
    quotas: Object.freeze({
      mediaPerUser: parseBytes(v.PARLEY_QUOTA_MEDIA_PER_USER),
      mediaPerMinute: parseBytes(v.PARLEY_QUOTA_MEDIA_PER_MINUTE),
      mediaTotal: parseBytes(v.PARLEY_QUOTA_MEDIA_TOTAL),
      exportsTotal: parseBytes(v.PARLEY_QUOTA_EXPORTS_TOTAL),
      messagesPerDay: v.PARLEY_QUOTA_MESSAGES_PER_DAY || undefined,
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
  const parsed = parseObjectStore(value);
  return 'bucket' in parsed ? Object.freeze({ ...parsed, ...readKeys(env) }) : undefined;
}

function trustProxy(value: string): boolean | string[] {
  if (value === 'true') return true;
  if (value === 'false') return false;
  return parseList(value);
}

const UNITS: Record<string, number> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

function parseBytes(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const [, digits, unit = ''] = /^(\d+)([KMGT]?)$/.exec(value) ?? [];
  const count = Number(digits) * (UNITS[unit] ?? 1);
  return count === 0 ? undefined : count;
}
