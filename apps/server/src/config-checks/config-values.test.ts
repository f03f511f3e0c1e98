import { expect, test } from 'vitest';
import { ConfigError, readConfig, type Config } from '../config.ts';
import { describeVariables } from '../config-variables.ts';
import { FORMATS } from './formats.ts';

/** Returns the problems of variables, as one text. */
function problemsOf(env: Record<string, string>): string {
  try {
    readConfig(env);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join('\n');
    throw error;
  }
}

const KEYS = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
const names = describeVariables().map(({ name }) => name as keyof typeof FORMATS);

test.each(names)('rejects hostile values of %s with a message that shows a right one', (name) => {
  const { must, example } = FORMATS[name];
  const right = example ?? must.split(/,? or |, /)[0] ?? '';
  for (const value of [' \t ', `"${right}"`, `'${right}'`, 'x\u0000y', `${'9'.repeat(3_000)}x`]) {
    const problem = problemsOf({ ...KEYS, [name]: value });
    expect(problem).toContain(`but must be ${must}`);
    expect(problem).toContain(right);
    expect(problem.length).toBeLessThan(600);
    expect(problem).not.toMatch(/\p{Cc}/u);
  }
  expect(problemsOf({ [name]: '' })).toBe('');
});

test.each(names)('accepts the example of %s, also with spaces around it', (name) => {
  const { must, example } = FORMATS[name];
  const right = example ?? must.split(/,? or |, /)[0] ?? '';
  expect(problemsOf({ [name]: ` ${right}\r\n`, ...KEYS })).toBe('');
  expect(readConfig({ [name]: ` ${right}\r`, ...KEYS })).toEqual(
    readConfig({ [name]: right, ...KEYS }),
  );
});

test.each<[name: string, value: string, problem: string]>([
  ['PARLEY_HOST', '[::1]', 'have no brackets here'],
  ['PARLEY_HOST', '300.1.1.1', "is '300.1.1.1', but must be"],
  ['PARLEY_HOST', '127.1', "is '127.1'"],
  ['PARLEY_HOST', 'localhost:3000', 'The port belongs in PARLEY_PORT.'],
  ['PARLEY_HOST', 'http://localhost', "is 'http://localhost'"],
  ['PARLEY_PORT', '70000', 'a number from 0 to 65535, such as 3000'],
  ['PARLEY_PORT', '0x10', "is '0x10'"],
  ['PARLEY_DATA', '~/parley', "Only shells replace a '~': write the whole path."],
  ['PARLEY_DATA', '$HOME/parley', "Only shells replace a '$'"],
  ['PARLEY_DATA', `/srv/${'a'.repeat(256)}`, 'at most 255 bytes'],
  ['PARLEY_PUBLIC_URL', 'chat.example.org', 'such as https://chat.example.org.'],
  ['PARLEY_PUBLIC_URL', 'https://*.example.org', "'*.example.org' is not the name"],
  ['PARLEY_PUBLIC_URL', 'https://chat.example.org/parley', 'end after the host and port'],
  ['PARLEY_PUBLIC_URL', 'https://chat.example.org?', 'end after the host and port'],
  ['PARLEY_PUBLIC_URL', 'https://300.1.1.1', 'It is not a URL.'],
  ['PARLEY_PUBLIC_URL', 'https:///chat', 'It is not a URL.'],
  ['PARLEY_PUSH_ORIGINS', 'https://a.example, b', "'b' is not an origin."],
  ['PARLEY_PUSH_ORIGINS', ',', 'It has no entries.'],
  ['PARLEY_TRUST_PROXY', 'TRUE', "'TRUE' is neither an IP address nor a network."],
  ['PARLEY_TRUST_PROXY', '10.0.0.0/33', "'10.0.0.0/33' is neither"],
  ['PARLEY_TRUST_PROXY', '10.0.0.1/', "'10.0.0.1/' is neither"],
  ['PARLEY_TRUST_PROXY', 'fe80::1%eth0', "'fe80::1%eth0' is neither"],
  ['PARLEY_TRUST_PROXY', '::ffff:10.0.0.1', 'must be written as an IPv4 address'],
  ['PARLEY_TRUST_PROXY', ' , ', 'It has no entries.'],
  ['PARLEY_MAIL_FROM', 'Parley', "is 'Parley', but must be an email address"],
  ['PARLEY_MAIL_FROM', 'Parley: Inc <a@example.org>', 'It is not one address.'],
  ['PARLEY_MAIL_FROM', 'Parley <a@example.org', 'must be an email address'],
  ['PARLEY_MAIL_FROM', 'a@exa mple.org', 'It contains spaces.'],
  ['PARLEY_MAIL_FROM', 'a@[300.1.1.1]', 'It is not one address.'],
  ['PARLEY_MAIL_FROM', 'a@example.org, b@example.org', 'an email address'],
  ['PARLEY_MAIL_FROM', 'Parley <a@300.1.1.1>', 'It is not one address.'],
  ['PARLEY_ALLOWED_DOMAINS', '*.example.org', 'list each domain'],
  [
    'PARLEY_ALLOWED_DOMAINS',
    'example.org;example.com',
    "'example.org;example.com' is not a domain",
  ],
  ['PARLEY_ALLOWED_DOMAINS', 'example..org', "'example..org' is not a domain"],
  ['PARLEY_ALLOWED_DOMAINS', '@example.org', 'must be domains, separated by commas'],
  ['PARLEY_QUOTA_MEDIA_TOTAL', '5 GB', "is '5 GB'"],
  ['PARLEY_QUOTA_MESSAGES_PER_DAY', '-1', 'or 0 for no limit'],
  ['PARLEY_RETENTION_DAYS', '0', 'or unset to keep everything'],
  ['PARLEY_MEDIA_URL', 'http://media.example.org', 'a URL with https'],
  ['PARLEY_MEDIA_URL', 'https://media.example.org/?a=', 'cannot have a query'],
  ['PARLEY_AVATAR_URL', 'https://avatars.example.org/', 'a URL with {name} in it'],
  ['PARLEY_METRICS_TOKEN', 'äöüäöüäöüäöüäöü1', 'Headers cannot contain other characters.'],
  ['PARLEY_OPERATOR_EMAIL', 'Ada <ada@example.org>', 'It is not an address.'],
  ['PARLEY_OPERATOR_NAME', 'Ada\nLovelace', 'line breaks'],
  ['PARLEY_METRICS_TOKEN', '  ', 'is blank'],
  ['PARLEY_ALLOWED_DOMAINS', 'example.org.', "'example.org.' is not a domain"],
  ['PARLEY_SMTP_URL', 'smtp://mail.example.org:99999', "'smtp://mail.example.org:99999'"],
  ['PARLEY_SMTP_URL', 'smtp://mail.example.org:99999', 'Its port must be a number'],
  ['PARLEY_PUBLIC_URL', 'https://keys.example.org/chat', "is 'https://keys.example.org/chat'"],
  ['PARLEY_OPERATOR_WEBSITE', 'ftp://example.org', "is 'ftp://example.org'"],
])('explains what is wrong with %s=%s', (name, value, problem) => {
  expect(problemsOf({ [name]: value })).toContain(problem);
});

test.each([
  'PARLEY_PUBLIC_URL',
  'PARLEY_PUSH_ORIGINS',
  'PARLEY_MEDIA_URL',
  'PARLEY_AVATAR_URL',
  'PARLEY_EMOJI_URL',
  'PARLEY_OPERATOR_WEBSITE',
  'PARLEY_SOURCE_URL',
  'PARLEY_DEMO_URL',
])('rejects a user or a password in %s, which everyone can read, and hides them', (name) => {
  const path = { PARLEY_AVATAR_URL: '/{name}', PARLEY_EMOJI_URL: '/{style}/{code}' }[name] ?? '';
  for (const login of ['hidden', 'user:hidden', ':hidden']) {
    const problem = problemsOf({ [name]: `https://${login}@example.org${path}` });
    expect(problem).toContain(`${name} is 'https://***@example.org${path}', but must be`);
    expect(problem).not.toContain('hidden');
  }
});

test.each([
  'user:hid#den@host',
  'user:12#hidden@host',
  'user:hid/den@host',
  'user:12/hidden@host',
  'user:hid?den@host',
  'user:12?hidden@host',
  'user:hid@/den@host',
  'user:hid%den@host',
  'user:hid%E4den@host',
])('asks for a percent-encoded password in a URL with %s, without showing it', (login) => {
  for (const [name, start, end] of [
    ['PARLEY_DATABASE_URL', 'postgres', '/parley'],
    ['PARLEY_SMTP_URL', 'smtps', ''],
  ]) {
    const problem = problemsOf({ [`${name}`]: `${start}://${login}${end}` });
    expect(problem).toContain(`${name} is '${start}://***@host${end}', but must be`);
    expect(problem).toContain('# as %23, / as %2F, ? as %3F, @ as %40, % as %25, a space as %20.');
    expect(problem).not.toMatch(/:hid|:12|den@/);
  }
});

test.each([
  ['PARLEY_DATABASE_URL', 'hidden', "is '***', but"],
  ['PARLEY_DATABASE_URL', 'postgres://user:hidden', "is 'postgres://***', but"],
  ['PARLEY_DATABASE_URL', 'postgres://user:hid den@db/parley', "is 'postgres://***@db/parley'"],
  ['PARLEY_DATABASE_URL', 'postgres://300.1.1.1/parley?password=hidden', "'300.1.1.1' is not a"],
  ['PARLEY_SMTP_URL', 'smtp://user:hidden@mail/path', 'It must end after the host and port.'],
  ['PARLEY_SMTP_URL', 'smtp://user:hidden@300.1.1.1', "'300.1.1.1' is not a host name"],
  ['PARLEY_MEDIA_STORE', 's3://key:hidden@bucket', "is 's3://***@bucket', but"],
  ['PARLEY_MEDIA_STORE', 's3://bucket?secretKey=hidden', "the unknown parameter 'secretKey'"],
  ['PARLEY_METRICS_TOKEN', 'hidden', 'is set to a value that is not shown here'],
])('shows no secret of %s=%s', (name, value, problem) => {
  expect(problemsOf({ [name]: value })).toContain(problem);
  expect(problemsOf({ [name]: value })).not.toContain('hidden');
});

test.each([
  ['PARLEY_HOST', '::'],
  ['PARLEY_HOST', 'fe80::1%eth0'],
  ['PARLEY_DATA', './my data'],
  ['PARLEY_DATABASE_URL', 'postgres://user@/parley?host=/var/run/postgresql'],
  ['PARLEY_DATABASE_URL', 'postgres:///parley'],
  ['PARLEY_DATABASE_URL', 'postgres://%2Fvar%2Frun%2Fpostgresql/parley'],
  ['PARLEY_DATABASE_URL', 'postgres://db/parley?user=me@example'],
  ['PARLEY_DATABASE_URL', 'postgres://user:p@ssword@[::1]:5432/parley?sslmode=verify-full'],
  ['PARLEY_DATABASE_URL', 'postgres://user:50%off@db.ns.svc.cluster.local./parley#x'],
  ['PARLEY_DATABASE_URL', '\r\n'],
  ['PARLEY_PUBLIC_URL', 'https://bücher.example/'],
  ['PARLEY_PUBLIC_URL', 'http://[::1]:3000'],
  ['PARLEY_TRUST_PROXY', '127.0.0.1, ::1,10.0.0.0/8,'],
  ['PARLEY_SMTP_URL', 'smtp://user:p%23@mail.example.org:587/?tls.rejectUnauthorized=false'],
  ['PARLEY_SMTP_URL', 'smtp://bücher.example'],
  ['PARLEY_SMTP_URL', 'smtps://user:p%s@mail.example.org.'],
  ['PARLEY_SMTP_URL', '\r'],
  ['PARLEY_MAIL_FROM', 'parley@localhost'],
  ['PARLEY_MAIL_FROM', '"Parley, Inc." <parley@bücher.example>'],
  ['PARLEY_MAIL_FROM', String.raw`"Parley \"Home\"" <parley@example.org>`],
  ['PARLEY_MAIL_FROM', 'Parley (Chat) <parley@example.org>'],
  ['PARLEY_MAIL_FROM', 'Parley @ Home <parley@example.org>'],
  ['PARLEY_MAIL_FROM', 'Parley, Inc <parley@example.org>'],
  ['PARLEY_MAIL_FROM', 'parley@[192.0.2.1]'],
  ['PARLEY_ALLOWED_DOMAINS', 'example.org, bücher.example'],
  ['PARLEY_AVATAR_URL', 'https://{name}.example.org/a'],
  ['PARLEY_METRICS_TOKEN', 'a very secret token'],
  ['PARLEY_OPERATOR_ADDRESS', '12 Main Street\nSpringfield'],
  ['PARLEY_OPERATOR_ADDRESS', '12 Main Street\r\nSpringfield'],
  ['PARLEY_OPERATOR_WEBSITE', 'https://social.example/@ada'],
])('accepts %s=%s', (name, value) => {
  expect(problemsOf({ [name]: value })).toBe('');
});

test('names an unknown variable and ignores variables of others', () => {
  expect(problemsOf({ PARLEY_PROT: '1', PORT: 'x' })).toBe('PARLEY_PROT is not a Parley variable.');
});

test('0 means no limit for every quota', () => {
  const quotas = {
    PARLEY_QUOTA_MEDIA_PER_USER: 'mediaPerUser',
    PARLEY_QUOTA_MEDIA_PER_MINUTE: 'mediaPerMinute',
    PARLEY_QUOTA_MEDIA_TOTAL: 'mediaTotal',
    PARLEY_QUOTA_EXPORTS_TOTAL: 'exportsTotal',
    PARLEY_QUOTA_MESSAGES_PER_DAY: 'messagesPerDay',
  } satisfies Record<string, keyof Config['quotas']>;
  expect(Object.keys(quotas)).toEqual(names.filter((name) => name.startsWith('PARLEY_QUOTA_')));
  for (const [name, quota] of Object.entries(quotas)) {
    expect(readConfig({ [name]: '0' }).quotas[quota]).toBeUndefined();
    expect(readConfig({ [name]: '7' }).quotas[quota]).toBe(7);
    const help = describeVariables().find((variable) => variable.name === name);
    expect(help?.description).toMatch(/; 0 for no limit$/);
  }
});
