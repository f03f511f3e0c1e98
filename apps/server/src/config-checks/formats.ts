import { isIP } from 'node:net';
import { isEmail, normalizeEmail } from '@parley/contract';
import parseAddresses from 'nodemailer/lib/addressparser/index.js';
import type { Variables } from '../config-variables.ts';
import { parseObjectStore } from './object-store-settings.ts';
import { isHost, isHostName, isUrlHost } from './host-names.ts';
import { findLoginUrlProblem, hideSecrets } from './login-url.ts';
import { parseList } from './parse-list.ts';

/** How a variable is written, for messages about wrong values. */
export interface Format {
  /** What its value must be, as the rest of a sentence. */
  readonly must: string;
  /** A right value; undefined if `must` lists all of them. */
  readonly example?: string;
  /**
   * What of a value is not shown: all of it; of a URL, all but the host and path; or the same of a URL that looks as if it
   * had a secret, although it must not have one.
   */
  readonly secret?: 'all' | 'login' | 'mistaken-login';
  /** Maximum number of characters. */
  readonly max?: number;
  /** Whether its value may have several lines. */
  readonly hasLines?: boolean;
  /** Returns what is wrong with a value that matches the schema, as sentences. */
  readonly check?: (value: string) => readonly string[];
}

const FLAG: Format = { must: 'true or false' };
const SIZE: Format = {
  must: 'a number of bytes, with K, M, G or T for larger units',
  example: '20G',
};
const SITE: Format = {
  must: 'the URL of a page without a user and a password',
  example: 'https://example.org',
  secret: 'mistaken-login',
  check: (value) => findPublicUrlProblems(value),
};

/** The formats of all variables. */
export const FORMATS: Readonly<Record<keyof Variables, Format>> = {
  PARLEY_HOST: {
    must: 'an IP address or a host name',
    example: '127.0.0.1',
    max: 253,
    check(value) {
      if (isHost(value)) return [];
      if (/^\[.*\]$/.test(value)) return ['IPv6 addresses have no brackets here.'];
      return /:\d+$/.test(value) ? ['The port belongs in PARLEY_PORT.'] : [NO_HOST];
    },
  },
  PARLEY_PORT: { must: 'a number from 0 to 65535', example: '3000' },
  PARLEY_DATA: {
    must: 'the whole path of a folder',
    example: '/var/lib/parley',
    max: 1_000,
    check: (value) => [
      ...(/^[~$%]/.test(value)
        ? [`Only shells replace a '${value[0]}': write the whole path.`]
        : []),
      ...(value.split(/[/\\]/).some((name) => Buffer.byteLength(name) > 255)
        ? ['The name of a folder has at most 255 bytes.']
        : []),
    ],
  },
  PARLEY_DATABASE_URL: {
    must: 'the URL of a PostgreSQL database',
    example: 'postgres://user:pass%23word@db.example.org/parley',
    secret: 'login',
    check: (value) => toList(findLoginUrlProblem(value, { hasPath: true })),
  },
  PARLEY_MEDIA_STORE: {
    must: 'the URL of a bucket',
    example: 's3://bucket/folder?endpoint=https://s3.example.org&region=us-east-1',
    secret: 'mistaken-login',
    check(value) {
      const parsed = parseObjectStore(value);
      return 'bucket' in parsed ? [] : parsed;
    },
  },
  PARLEY_MEDIA_CACHE: SIZE,
  PARLEY_PUBLIC_URL: {
    must: 'the URL of a site without a path, a user and a password',
    example: 'https://chat.example.org',
    secret: 'mistaken-login',
    check(value) {
      const problems = findPublicUrlProblems(value);
      return problems.length > 0 || isOrigin(value) ? problems : [NO_PATH];
    },
  },
  PARLEY_PUSH_ORIGINS: {
    must: 'origins, separated by commas',
    example: 'https://push.example.org:8443',
    secret: 'mistaken-login',
    check: (value) =>
      checkList(value, (entry) =>
        /^https?:/i.test(entry) && isOrigin(entry) && findPublicUrlProblems(entry).length === 0
          ? undefined
          : 'is not an origin',
      ),
  },
  PARLEY_TRUST_PROXY: {
    must: 'true, false, or addresses and networks, separated by commas',
    example: '127.0.0.1,10.0.0.0/8',
    check: (value) =>
      ['true', 'false'].includes(value) ? [] : checkList(value, findNetworkProblem),
  },
  PARLEY_SMTP_URL: {
    must: 'the URL of a mail server',
    example: 'smtps://user:pass%23word@mail.example.org',
    secret: 'login',
    check: (value) => toList(findLoginUrlProblem(value, { hasPath: false })),
  },
  PARLEY_MAIL_FROM: {
    must: 'an email address, also with a name',
    example: 'Parley <parley@example.org>',
    max: 320,
    check: (value) => (isMailbox(value) ? [] : ['It is not one address.']),
  },
  PARLEY_REGISTRATION: { must: 'open, invite or closed' },
  PARLEY_USER_INVITATIONS: FLAG,
  PARLEY_ALLOWED_DOMAINS: {
    must: 'domains, separated by commas',
    example: 'example.org,example.com',
    check: (value) =>
      checkList(value, (entry) =>
        isHostName(entry)
          ? undefined
          : entry.includes('*')
            ? 'is not a domain: list each domain, also those below another one'
            : 'is not a domain',
      ),
  },
  PARLEY_REGISTRATIONS_PER_HOUR: { must: 'a number from 1 to 1000000', example: '100' },
  PARLEY_QUOTA_MEDIA_PER_USER: SIZE,
  PARLEY_QUOTA_MEDIA_PER_MINUTE: SIZE,
  PARLEY_QUOTA_MEDIA_TOTAL: SIZE,
  PARLEY_QUOTA_EXPORTS_TOTAL: SIZE,
  PARLEY_QUOTA_MESSAGES_PER_DAY: {
    must: 'a number up to 1000000, or 0 for no limit',
    example: '2000',
  },
  PARLEY_FREE_SPACE_MIN: SIZE,
  PARLEY_RETENTION_DAYS: {
    must: 'a number of days from 1 to 36500, or unset to keep everything',
    example: '365',
  },
  PARLEY_MEDIA_URL: {
    must: 'a URL with https, without a user, a password and a query',
    example: 'https://media.example.org/',
    secret: 'mistaken-login',
    check: (value) => [
      ...findPublicUrlProblems(value),
      ...(/[?#]/.test(value) ? ['The names of files follow it, so it cannot have a query.'] : []),
    ],
  },
  PARLEY_AVATAR_URL: {
    must: 'a URL with {name} in it',
    example: 'https://avatars.example.org/{name}.png',
    secret: 'mistaken-login',
    check: (value) => findPublicUrlProblems(value.replaceAll('{name}', 'name')),
  },
  PARLEY_EMOJI_URL: {
    must: 'a URL with {style} and {code} in it',
    example: 'https://emoji.example.org/{style}/{code}.png',
    secret: 'mistaken-login',
    check: (value) => findPublicUrlProblems(value.replaceAll(/\{(style|code)\}/g, '$1')),
  },
  PARLEY_RATE_LIMITS: FLAG,
  PARLEY_LOG_LEVEL: { must: 'fatal, error, warn, info, debug, trace or silent' },
  PARLEY_LOG_FAILED_LOGINS: FLAG,
  PARLEY_METRICS_TOKEN: {
    must: 'at least 16 letters, digits and other characters of ASCII',
    example: 'the output of: openssl rand -hex 32',
    secret: 'all',
    check: (value) => (/^[ -~]+$/.test(value) ? [] : ['Headers cannot contain other characters.']),
  },
  PARLEY_OPERATOR_NAME: { must: 'a name', example: 'Ada Lovelace', max: 100 },
  PARLEY_OPERATOR_ADDRESS: {
    must: 'a postal address',
    example: '12 Main Street, Springfield',
    max: 500,
    hasLines: true,
  },
  PARLEY_OPERATOR_EMAIL: {
    must: 'an email address',
    example: 'ada@example.org',
    check: (value) => (isEmail(normalizeEmail(value)) ? [] : ['It is not an address.']),
  },
  PARLEY_OPERATOR_WEBSITE: SITE,
  PARLEY_SOURCE_URL: SITE,
  PARLEY_DEMO_URL: SITE,
};

const NO_HOST = 'It is not the name or the address of a host.';
const NO_PATH = 'It must end after the host and port.';

function toList(problem: string | undefined): readonly string[] {
  return problem === undefined ? [] : [problem];
}

/** Checks the entries of a list. `check` returns the rest of a sentence. */
function checkList(value: string, check: (entry: string) => string | undefined): readonly string[] {
  const entries = parseList(value);
  if (entries.length === 0) return ['It has no entries.'];
  return entries.flatMap((entry) => {
    const problem = check(entry);
    const shown = entry.includes('@') ? hideSecrets(entry) : entry;
    return problem === undefined ? [] : [`'${shown}' ${problem}.`];
  });
}

/** Returns what is wrong with a URL that everyone can read. */
function findPublicUrlProblems(value: string): readonly string[] {
  const url = URL.parse(value);
  if (url === null || !/^https?:\/\/[^/\\]/i.test(value)) return ['It is not a URL.'];
  if (url.username !== '' || url.password !== '') {
    return ['Everyone can read it, so it must not have a user or a password.'];
  }
  return isUrlHost(url.hostname) ? [] : [`'${url.hostname}' is not the name or address of a host.`];
}

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && url.pathname === '/' && !/[?#]/.test(value);
}

function findNetworkProblem(entry: string): string | undefined {
  const [address = '', bits, ...rest] = entry.split('/');
  if (/^::ffff:\d/i.test(address)) return 'must be written as an IPv4 address';
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits);
  if (maxBits > 0 && !address.includes('%') && rest.length === 0 && isNetwork) return undefined;
  return 'is neither an IP address nor a network';
}

/** Returns whether nodemailer reads a text as one address of the sender of mails. Its domain may have no dot. */
function isMailbox(text: string): boolean {
  const [, inBrackets, bare] = /^[^<>]*<([^<>\s]*)>$|^([^<>\s]*)$/.exec(text) ?? [];
  const written = inBrackets ?? bare ?? '';
  const [sender, ...others] = parseAddresses(text);
  if (sender === undefined || 'group' in sender || others.length > 0) return false;
  const [, local = '', domain = ''] = /^(.*)@(.*)$/s.exec(written) ?? [];
  const literal = /^\[(?:IPv6:)?(.*)\]$/i.exec(domain)?.[1];
  return (
    sender.address === written &&
    (isHostName(domain) || isIP(literal ?? '') !== 0) &&
    isEmail(`${local}@example.org`)
  );
}
