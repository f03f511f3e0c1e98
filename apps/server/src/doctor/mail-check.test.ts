import type { SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { selfSigned, type Certificate } from '../../test/certificate.ts';
import { acceptConnections } from '../../test/accept-connections.ts';
import { runCommand } from '../../test/run-command.ts';
import {
  SMTP_CERTIFICATE,
  SMTP_USER,
  startSmtpInbox,
  type SmtpInbox,
} from '../../test/smtp-inbox.ts';
import { trust } from '../../test/trust.ts';
import type { Finding } from './finding.ts';
import { checkMail } from './mail-check.ts';

const YEAR = 365 * 24 * 3_600_000;
const { user, pass } = SMTP_USER;
const LOGIN = `${user}:${encodeURIComponent(pass)}@`;

type Command = 'CONN' | 'AUTH' | 'MAIL FROM' | 'RCPT TO' | 'DATA';

/** The command that the mail servers reject, and the code of their response. */
let rejected: { readonly command: Command; readonly code: number } | undefined;

/** Rejects the command if a test says so. */
function reject(command: Command, done: (error?: Error | null) => void): void {
  if (rejected?.command !== command) return done();
  done(Object.assign(new Error('said the server'), { responseCode: rejected.code }));
}

const handlers: SMTPServerOptions = {
  onConnect: (_session, done) => reject('CONN', done),
  onMailFrom: (_address, _session, done) => reject('MAIL FROM', done),
  onRcptTo: (_address, _session, done) => reject('RCPT TO', done),
  onData(stream, _session, done) {
    stream.resume();
    stream.on('end', () => reject('DATA', done));
  },
};

let withoutTls: SmtpInbox;
let startTls: SmtpInbox;
let implicitTls: SmtpInbox;
beforeAll(async () => {
  trust(SMTP_CERTIFICATE.cert);
  withoutTls = await startSmtpInbox({ ...handlers, disabledCommands: ['STARTTLS', 'AUTH'] });
  startTls = await startSmtpInbox({
    onAuth({ username, password }, _session, done) {
      if (rejected?.command === 'AUTH') return reject('AUTH', done);
      const isRight = username === user && password === pass;
      return done(isRight ? null : new Error('wrong'), isRight ? { user } : undefined);
    },
  });
  implicitTls = await startSmtpInbox({ secure: true });
});
afterAll(async () => {
  trust();
  await Promise.all([withoutTls.close(), startTls.close(), implicitTls.close()]);
});
beforeEach(() => {
  rejected = undefined;
});

async function check(smtpUrl: string, ...args: string[]): Promise<(name: string) => Finding[]> {
  const variables = { PARLEY_DATA: '/nowhere', PARLEY_PORT: '1', PARLEY_SMTP_URL: smtpUrl };
  const { json } = await runCommand(variables, 'doctor', '--json', ...args);
  const findings: Finding[] = json;
  return (name) => findings.filter((finding) => finding.check === name);
}

async function checkMailServer(smtpUrl: string, ...args: string[]): Promise<Finding> {
  const [found, ...more] = (await check(smtpUrl, ...args))('mail');
  expect(more).toEqual([]);
  return found ?? expect.fail();
}

test('logs in to the mail server and sends a test mail on request', async () => {
  const url = `smtp://${LOGIN}localhost:${startTls.port}`;
  expect(await checkMailServer(url)).toMatchObject({ outcome: 'ok' });
  expect(startTls.mails).toHaveLength(0);
  expect(await checkMailServer(url, '--mail', 'ops@example.org')).toMatchObject({ outcome: 'ok' });
  expect(await startTls.waitForMail('ops@example.org')).toMatchObject({
    subject: 'Test mail from Parley',
  });
  const implicit = `smtps://${LOGIN}localhost:${implicitTls.port}`;
  expect(await checkMailServer(implicit)).toMatchObject({ outcome: 'ok' });
});

test('rejects a recipient that is not an email address', async () => {
  const variables = { PARLEY_DATA: '/nowhere', PARLEY_SMTP_URL: 'smtp://localhost:1' };
  expect(await runCommand(variables, 'doctor', '--mail', 'ops')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--mail is 'ops', which is not an email address"),
  });
});

test.each<[command: Command, code: number, outcome: string, message: string, advice: string]>([
  ['CONN', 554, 'failed', 'does not accept mails from this machine', 'Ask its operator'],
  ['CONN', 421, 'warning', 'rejects it for now', 'tries again later'],
  ['MAIL FROM', 550, 'failed', 'rejected the sender', 'Set PARLEY_MAIL_FROM'],
  ['MAIL FROM', 530, 'failed', 'demands a login', 'Add the user and the password'],
  ['MAIL FROM', 451, 'warning', 'rejects it for now', 'greylisting'],
  ['RCPT TO', 550, 'failed', 'rejected the recipient', 'Check that the address exists'],
  ['RCPT TO', 530, 'failed', 'demands a login', 'Add the user and the password'],
  ['RCPT TO', 451, 'warning', 'rejects it for now', 'greylisting'],
  ['RCPT TO', 452, 'warning', 'rejects it for now', 'greylisting'],
  ['DATA', 550, 'failed', 'rejected the content', 'SPF, DKIM and DMARC'],
  ['DATA', 451, 'warning', 'rejects it for now', 'greylisting'],
])('explains the response to %s with %d', async (command, code, outcome, message, advice) => {
  rejected = { command, code };
  const url = `smtp://localhost:${withoutTls.port}`;
  const found = await checkMailServer(url, '--mail', 'ops@example.org');
  expect(found).toMatchObject({
    outcome,
    message: expect.stringContaining(message),
    advice: expect.stringContaining(advice),
  });
  expect(found.message).toContain(`: ${code} said the server`);
});

test.each([
  [535, 'failed', 'rejected the login', 'must be percent-encoded'],
  [534, 'failed', 'rejected the login', 'create a password for apps'],
  [454, 'warning', 'rejects it for now', 'tries again later'],
])('explains the response to a login with %d', async (code, outcome, message, advice) => {
  rejected = { command: 'AUTH', code };
  expect(await checkMailServer(`smtp://${LOGIN}localhost:${startTls.port}`)).toMatchObject({
    outcome,
    message: expect.stringContaining(message),
    advice: expect.stringContaining(advice),
  });
});

test('finds a wrong password, a missing login, and a mail server that cannot be reached', async () => {
  expect(await checkMailServer(`smtp://${user}:wrong@localhost:${startTls.port}`)).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining('rejected the login: 535'),
  });
  const url = `smtp://localhost:${startTls.port}`;
  expect(await checkMailServer(url, '--mail', 'ops@example.org')).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining('demands a login or encryption: 530'),
  });
  expect(await checkMailServer('smtp://localhost:1')).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining('cannot be reached'),
  });
  expect(await checkMailServer('smtp://mail.invalid')).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining('mail.invalid cannot be resolved'),
    advice: expect.stringContaining('DNS'),
  });
});

test('finds a URL with smtps for a port without TLS, and the reverse', async () => {
  expect(await checkMailServer(`smtps://localhost:${withoutTls.port}`)).toMatchObject({
    outcome: 'failed',
    message: 'localhost does not speak TLS from the start on this port.',
    advice: expect.stringContaining('Use smtp://'),
  });
  expect(await checkMailServer(`smtp://${LOGIN}localhost:${withoutTls.port}`)).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining('offers no encryption on this port'),
    advice: expect.stringContaining('Use smtps://'),
  });
  const silent = `smtp://localhost:${implicitTls.port}/?greetingTimeout=1`;
  expect(await checkMailServer(silent)).toMatchObject({
    outcome: 'failed',
    message: 'localhost speaks TLS from the start on this port.',
    advice: expect.stringContaining('Use smtps://'),
  });
});

test('does not take a slow or silent port for one with TLS', async () => {
  const silent = await acceptConnections(() => undefined);
  expect(await checkMailServer(`smtp://localhost:${silent}/?greetingTimeout=1`)).toMatchObject({
    outcome: 'failed',
    message: 'localhost sends no greeting on this port.',
    advice: expect.stringContaining('may belong to another program'),
  });
});

test('ends if the mail server never completes its response', async () => {
  const dripping = await acceptConnections((socket) => {
    socket.write('220 ready\r\n');
    socket.once('data', () => {
      const timer = setInterval(() => socket.write('2'), 50);
      socket.on('close', () => clearInterval(timer));
    });
  });
  const smtpUrl = `smtp://localhost:${dripping}`;
  expect(await checkMail({ smtpUrl, mailFrom: 'ops@example.org' }, undefined, 500)).toMatchObject([
    { outcome: 'failed', message: 'The mail server did not finish within 0.5 seconds.' },
  ]);
});

test.each<[name: string, certificate: Certificate, message: RegExp, advice: RegExp]>([
  ['expired', selfSigned({ from: -2 * YEAR, to: -YEAR }), /expired/, /is right, renew it/],
  [
    'not valid yet',
    selfSigned({ from: YEAR, to: 2 * YEAR }),
    /becomes valid later/,
    /correct the clock/,
  ],
  ['for another host', selfSigned({ host: 'example.org' }), /not for the name/, /PARLEY_SMTP_URL/],
])('explains a certificate that is %s', async (_name, certificate, message, advice) => {
  trust(certificate.cert);
  implicitTls.useCertificate(certificate);
  startTls.useCertificate(certificate);
  onTestFinished(() => {
    trust(SMTP_CERTIFICATE.cert);
    implicitTls.useCertificate(SMTP_CERTIFICATE);
    startTls.useCertificate(SMTP_CERTIFICATE);
  });
  for (const url of [
    `smtps://localhost:${implicitTls.port}`,
    `smtp://${LOGIN}localhost:${startTls.port}`,
  ]) {
    expect(await checkMailServer(url)).toMatchObject({
      outcome: 'failed',
      message: expect.stringMatching(message),
      advice: expect.stringMatching(advice),
    });
  }
});

test('explains a certificate that is not trusted', async () => {
  trust();
  onTestFinished(() => trust(SMTP_CERTIFICATE.cert));
  expect(await checkMailServer(`smtps://localhost:${implicitTls.port}`)).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining('not from a trusted authority'),
    advice: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
  });
});

test('compares the clocks if the greeting of the mail server contains the time', async () => {
  const url = (port: number) => `smtp://${LOGIN}localhost:${port}`;
  expect((await check(url(startTls.port)))('clock')).toEqual([]);
  const greet = async (difference: number) => {
    const date = new Date(Date.now() + difference).toUTCString();
    const inbox = await startSmtpInbox({ banner: `ready; ${date}` });
    onTestFinished(() => inbox.close());
    return (await check(url(inbox.port)))('clock');
  };
  expect(await greet(0)).toMatchObject([{ outcome: 'ok' }]);
  expect(await greet(3_600_000)).toMatchObject([
    {
      outcome: 'failed',
      message: expect.stringMatching(/is 60 minutes behind that of localhost:\d+\.$/),
      advice: expect.stringContaining('timedatectl'),
    },
  ]);
});
