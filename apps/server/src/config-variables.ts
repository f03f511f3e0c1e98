import { Type, type Static } from 'typebox';

const Url = (description: string) => Type.String({ pattern: '^https?://[^\\s]+$', description });
const Flag = Type.Union([Type.Literal('true'), Type.Literal('false')]);
const Bytes = (description: string, byDefault?: string) =>
  Type.String({
    pattern: '^\\d{1,12}[KMGT]?$',
    ...(byDefault !== undefined && { default: byDefault }),
    description: `${description}, such as 500M or 20G${byDefault === undefined ? '' : '; 0 for no limit'}`,
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
    PARLEY_TRUST_PROXY: Type.String({
      default: 'false',
      description:
        'true behind one reverse proxy on any address, or the addresses of the trusted proxies, separated by commas',
    }),
    PARLEY_SMTP_URL: Type.Optional(
      Type.String({
        pattern: '^smtps?://[^\\s]+$',
        description:
          'Mail server, such as smtps://user:password@mail.example.org; without one, mails are files in outbox/, kept 30 days',
      }),
    ),
    PARLEY_MAIL_FROM: Type.String({
      pattern: '^(?:[^\\r\\n]*<[^<>@\\s]+@[^<>@\\s]+>|[^<>@\\s]+@[^<>@\\s]+)$',
      default: 'Parley <parley@localhost>',
      description: 'Sender of the mails, with an address such as parley@example.org',
    }),
    PARLEY_REGISTRATION: Type.Union(
      [Type.Literal('open'), Type.Literal('invite'), Type.Literal('closed')],
      {
        default: 'open',
        description:
          'Who may register: anyone (open), people with an invitation (invite), no one (closed)',
      },
    ),
    PARLEY_ALLOWED_DOMAINS: Type.Optional(
      Type.String({
        pattern: '^[^\\s@,]+(?: *, *[^\\s@,]+)*$',
        description:
          'Domains of the mail addresses that may register, such as example.org,example.com; others may not',
      }),
    ),
    PARLEY_QUOTA_MEDIA_PER_USER: Bytes('Uploads that one account may have', '2G'),
    PARLEY_QUOTA_MEDIA_PER_MINUTE: Bytes('Uploads that one account may make in a minute', '120M'),
    PARLEY_QUOTA_MEDIA_TOTAL: Type.Optional(Bytes('Uploads of all accounts together')),
    PARLEY_QUOTA_MESSAGES_PER_DAY: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'Messages that one account may send on one day (UTC)',
      }),
    ),
    PARLEY_FREE_SPACE_MIN: Bytes(
      'Free disk space below which uploads are refused, and below 100M of it messages, too',
      '500M',
    ),
    PARLEY_RETENTION_DAYS: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 36_500,
        description: 'Messages and uploads are deleted after so many days; without it, never',
      }),
    ),
    PARLEY_MEDIA_URL: Type.Optional(
      Type.String({
        pattern: '^https://[^\\s]+$',
        description:
          'https prefix of media on another host; by default they are served by this one',
      }),
    ),
    PARLEY_AVATAR_URL: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s]*\\{name\\}[^\\s]*$',
        description:
          'Template of an external avatar service, with {name} in it; by default the server draws the robots',
      }),
    ),
    PARLEY_EMOJI_URL: Type.Optional(
      Type.String({
        // Both placeholders, in any order.
        pattern: '^https?://(?=[^\\s]*\\{style\\})(?=[^\\s]*\\{code\\})[^\\s]+$',
        description:
          'Template of Apple and Facebook emoji pictures, with {style} and {code} in it; without one, users choose between native, Twitter and Google',
      }),
    ),
    PARLEY_RATE_LIMITS: Type.Union([Flag], {
      default: 'true',
      description: 'false switches the limits by address and account off, for load tests',
    }),
    PARLEY_LOG_LEVEL: Type.Union(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((l) => Type.Literal(l)),
      {
        default: 'info',
        description: 'fatal, error, warn, info, debug (a line for each request), trace or silent',
      },
    ),
    PARLEY_METRICS_TOKEN: Type.Optional(
      Type.String({
        minLength: 16,
        description:
          'Bearer token that /metrics asks for, 16 characters or more; without one, only this machine may read it',
      }),
    ),
    PARLEY_OPERATOR_NAME: Type.Optional(
      Type.String({ description: 'Who runs this server, for the About and Privacy pages' }),
    ),
    PARLEY_OPERATOR_ADDRESS: Type.Optional(Type.String({ description: 'Their postal address' })),
    PARLEY_OPERATOR_EMAIL: Type.Optional(Type.String({ description: 'Their mail address' })),
    PARLEY_OPERATOR_WEBSITE: Type.Optional(Url('Their website')),
    PARLEY_SOURCE_URL: Type.Optional(Url('Where the source code can be had, for the About page')),
    PARLEY_DEMO_URL: Type.Optional(Url('Where a live demo runs, for the About page')),
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
