import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { resolve } from 'node:path';

const Url = (description: string) => Type.String({ pattern: '^https?://[^\\s]+$', description });
const Flag = Type.Union([Type.Literal('true'), Type.Literal('false')]);

/** Every variable that the server reads: type, default, check and explanation in one place. */
export const Variables = Type.Object(
  {
    PARLEY_HOST: Type.String({
      minLength: 1,
      default: '127.0.0.1',
      description: 'Address to listen on',
    }),
    PARLEY_PORT: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      default: 3000,
      description: 'Port to listen on; 0 takes any free one',
    }),
    PARLEY_DATA: Type.String({
      minLength: 1,
      default: './data',
      description: 'Folder of the database, the media and the outbox',
    }),
    PARLEY_PUBLIC_URL: Type.Optional(
      Url('The address that people open, such as https://chat.example.org; needed behind a proxy'),
    ),
    PARLEY_SMTP_URL: Type.Optional(
      Type.String({
        pattern: '^smtps?://[^\\s]+$',
        description: 'Mail server, such as smtps://user:password@mail.example.org',
      }),
    ),
    PARLEY_MAIL_FROM: Type.String({
      minLength: 3,
      default: 'Parley <parley@localhost>',
      description: 'Sender of the mails',
    }),
    PARLEY_MEDIA_URL: Type.Optional(
      Type.String({
        pattern: '^https://[^\\s]+$',
        description: 'Prefix of media on another host; by default they are served by this one',
      }),
    ),
    PARLEY_AVATAR_URL: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s]*\\{name\\}[^\\s]*$',
        description: 'Template of an external avatar service, with {name} in it',
      }),
    ),
    PARLEY_TRUST_PROXY: Type.String({
      default: 'false',
      description:
        'true behind one reverse proxy on any address, or the addresses of the trusted proxies, separated by commas',
    }),
    PARLEY_REGISTRATION: Type.Union([Type.Literal('open'), Type.Literal('closed')], {
      default: 'open',
      description: 'Whether new people may register: open or closed',
    }),
    PARLEY_RATE_LIMITS: Type.Union([Flag], {
      default: 'true',
      description: 'false switches the limits by address and account off, for load tests',
    }),
    PARLEY_LOG_LEVEL: Type.Union(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((l) => Type.Literal(l)),
      { default: 'info', description: 'fatal, error, warn, info, debug, trace or silent' },
    ),
    PARLEY_OPERATOR_NAME: Type.Optional(
      Type.String({ description: 'Who runs this server, for the About and Privacy pages' }),
    ),
    PARLEY_OPERATOR_ADDRESS: Type.Optional(Type.String({ description: 'Their postal address' })),
    PARLEY_OPERATOR_EMAIL: Type.Optional(Type.String({ description: 'Their mail address' })),
    PARLEY_OPERATOR_WEBSITE: Type.Optional(Url('Their website')),
    PARLEY_SOURCE_URL: Type.Optional(Url('Where the source code can be had')),
    PARLEY_DEMO_URL: Type.Optional(Url('Where a live demo runs')),
  },
  { additionalProperties: false },
);
type Variables = Static<typeof Variables>;

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
  readonly registration: 'open' | 'closed';
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
    given[name] = name === 'PARLEY_PORT' && /^\d+$/.test(value) ? Number(value) : value;
  }
  const values: unknown = Value.Default(Variables, given);
  if (!Value.Check(Variables, values)) {
    const name = Value.Errors(Variables, values)[0]?.instancePath.slice(1) ?? '';
    const expected = (Variables.properties as Record<string, { description?: string }>)[name];
    throw new ConfigError(`${name} has a value that does not fit: ${expected?.description}.`);
  }
  return toConfig(values);
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
  return value.split(',').map((address) => address.trim());
}
