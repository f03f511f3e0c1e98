import { Type, type Static } from 'typebox';

const Url = (description: string) => Type.String({ pattern: '^https?://[^\\s]+$', description });
const Flag = Type.Union([Type.Literal('true'), Type.Literal('false')]);
const Bytes = (description: string, byDefault?: string) =>
  Type.String({
    pattern: '^\\d{1,12}[KMGT]?$',
    ...(byDefault !== undefined && { default: byDefault }),
    description: `${description}, such as 500M or 20G; 0 for no limit`,
  });

/** Every environment variable of the server with its type, default and description. */
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
      description: 'Port to listen on; 0 for any free port',
    }),
    PARLEY_DATA: Type.String({
      minLength: 1,
      default: './data',
      description: 'Folder of the database, the media and the outbox',
    }),
    PARLEY_DATABASE_URL: Type.Optional(
      Type.String({
        pattern: '^postgres(?:ql)?://[^\\s]+$',
        description:
          'PostgreSQL database, such as postgres://user:password@db.example.org/parley; without one, a file in the data folder',
      }),
    ),
    PARLEY_MEDIA_STORE: Type.Optional(
      Type.String({
        pattern: '^s3://[^\\s]+$',
        description:
          'S3-compatible object storage for media, such as s3://bucket/folder?endpoint=https://s3.example.org&region=us-east-1, with its keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; without one, a folder in the data folder',
      }),
    ),
    PARLEY_MEDIA_CACHE: Type.String({
      pattern: '^\\d{1,12}[KMGT]?$',
      default: '1G',
      description:
        'Maximum size of the copies of media from object storage in the data folder, such as 500M or 20G; 0 for none',
    }),
    PARLEY_PUBLIC_URL: Type.Optional(
      Url('Public URL of the site, such as https://chat.example.org; required behind a proxy'),
    ),
    PARLEY_PUSH_ORIGINS: Type.Optional(
      Type.String({
        description:
          'Comma-separated origins (scheme://host:port) of push services that notifications may be sent to besides public ones on port 443, such as https://push.home.arpa:8443',
      }),
    ),
    PARLEY_TRUST_PROXY: Type.String({
      default: 'false',
      description:
        'Comma-separated addresses of the trusted reverse proxies, such as 127.0.0.1; true for a single one of any address',
    }),
    PARLEY_SMTP_URL: Type.Optional(
      Type.String({
        pattern: '^smtps?://[^\\s]+$',
        description:
          'Mail server, such as smtps://user:password@mail.example.org; without one, mails are written to files in outbox/ and kept for 30 days',
      }),
    ),
    PARLEY_MAIL_FROM: Type.String({
      pattern: '^(?:[^\\r\\n]*<[^<>@\\s]+@[^<>@\\s]+>|[^<>@\\s]+@[^<>@\\s]+)$',
      default: 'Parley <parley@localhost>',
      description: 'Sender of mails, such as Parley <parley@example.org>',
    }),
    PARLEY_REGISTRATION: Type.Union(
      [Type.Literal('open'), Type.Literal('invite'), Type.Literal('closed')],
      {
        default: 'open',
        description:
          'Who may register: everyone (open), users with an invitation (invite) or no one (closed)',
      },
    ),
    PARLEY_USER_INVITATIONS: Type.Union([Flag], {
      default: 'false',
      description:
        'true if invitation links of users allow registration with PARLEY_REGISTRATION=invite',
    }),
    PARLEY_ALLOWED_DOMAINS: Type.Optional(
      Type.String({
        pattern: '^[^\\s@,]+(?: *, *[^\\s@,]+)*$',
        description:
          'Comma-separated domains of the email addresses that may register, such as example.org,example.com',
      }),
    ),
    PARLEY_REGISTRATIONS_PER_HOUR: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 30,
      description:
        'Maximum number of attempts to register from one network per hour; with an invitation, ten times as many',
    }),
    PARLEY_QUOTA_MEDIA_PER_USER: Bytes(
      "Maximum total size of an account's uploads, including those in chats that the user deleted",
      '2G',
    ),
    PARLEY_QUOTA_MEDIA_PER_MINUTE: Bytes("Maximum size of an account's uploads per minute", '120M'),
    PARLEY_QUOTA_MEDIA_TOTAL: Type.Optional(Bytes('Maximum total size of all uploads')),
    PARLEY_QUOTA_EXPORTS_TOTAL: Bytes(
      'Maximum total size of the exports that users can download',
      '10G',
    ),
    PARLEY_QUOTA_MESSAGES_PER_DAY: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      default: 20_000,
      description:
        'Maximum number of messages per account and day (UTC), approximate from 2000 on; 0 for no limit',
    }),
    PARLEY_FREE_SPACE_MIN: Bytes(
      'Free disk space below which uploads are rejected (messages are rejected below 100M)',
      '500M',
    ),
    PARLEY_RETENTION_DAYS: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 36_500,
        description: 'Days after which messages and uploads are deleted; by default never',
      }),
    ),
    PARLEY_MEDIA_URL: Type.Optional(
      Type.String({
        pattern: '^https://[^\\s]+$',
        description:
          'URL prefix (https) of media on another host; by default this server serves them',
      }),
    ),
    PARLEY_AVATAR_URL: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s]*\\{name\\}[^\\s]*$',
        description:
          'URL template of an external avatar service, containing {name}; by default this server generates robot avatars',
      }),
    ),
    PARLEY_EMOJI_URL: Type.Optional(
      Type.String({
        // Requires both placeholders, in any order.
        pattern: '^https?://(?=[^\\s]*\\{style\\})(?=[^\\s]*\\{code\\})[^\\s]+$',
        description:
          'URL template of Apple and Facebook emoji images, containing {style} and {code}; without it, users choose between native, Twitter and Google emoji',
      }),
    ),
    PARLEY_RATE_LIMITS: Type.Union([Flag], {
      default: 'true',
      description: 'false disables rate limits, for load tests',
    }),
    PARLEY_LOG_LEVEL: Type.Union(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((l) => Type.Literal(l)),
      {
        default: 'info',
        description:
          'Log level: fatal, error, warn, info, debug (logs each request), trace or silent',
      },
    ),
    PARLEY_LOG_FAILED_LOGINS: Type.Union([Flag], {
      default: 'false',
      description:
        "true logs the client's IP address for each login with a wrong password, as a warning that fail2ban can read",
    }),
    PARLEY_METRICS_TOKEN: Type.Optional(
      Type.String({
        minLength: 16,
        description:
          'Bearer token for /metrics, at least 16 characters; without one, only this machine may read it, unless PARLEY_PUBLIC_URL or PARLEY_TRUST_PROXY is set',
      }),
    ),
    PARLEY_OPERATOR_NAME: Type.Optional(
      Type.String({
        description:
          'Name of the operator, for the About and Privacy pages; no user can register it',
      }),
    ),
    PARLEY_OPERATOR_ADDRESS: Type.Optional(
      Type.String({ description: 'Postal address of the operator' }),
    ),
    PARLEY_OPERATOR_EMAIL: Type.Optional(
      Type.String({ description: 'Email address of the operator' }),
    ),
    PARLEY_OPERATOR_WEBSITE: Type.Optional(Url('Website of the operator')),
    PARLEY_SOURCE_URL: Type.Optional(Url('URL of the source code, for the About page')),
    PARLEY_DEMO_URL: Type.Optional(Url('URL of a live demo, for the About page')),
  },
  { additionalProperties: false },
);
export type Variables = Static<typeof Variables>;

/** The documentation of a variable. */
export interface VariableHelp {
  readonly name: string;
  /** Undefined if there is no default. */
  readonly default: string | undefined;
  readonly description: string;
}

/** Returns the documentation of all variables in the order of the schema. */
export function describeVariables(): VariableHelp[] {
  const properties = Variables.properties as Record<
    string,
    { default?: string | number; description?: string }
  >;
  return Object.entries(properties).map(([name, property]) => ({
    name,
    default: property.default === undefined ? undefined : String(property.default),
    description: property.description ?? '',
  }));
}
