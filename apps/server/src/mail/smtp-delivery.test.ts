import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/harness.ts';
import { details } from '../../test/joining.ts';
import { getKey } from '../../test/mails.ts';
import {
  SMTP_CERTIFICATE,
  SMTP_USER,
  startSmtpInbox,
  type SmtpInbox,
} from '../../test/smtp-inbox.ts';
import { trust } from '../../test/trust.ts';
import { until } from '../../test/until.ts';

beforeAll(() => trust(SMTP_CERTIFICATE.cert));
afterAll(() => trust());

let dataDir: string;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  await rm(dataDir, { recursive: true });
});

async function startInbox(...args: Parameters<typeof startSmtpInbox>): Promise<SmtpInbox> {
  const started = await startSmtpInbox(...args);
  closing.push(() => started.close());
  return started;
}

async function startParley(smtpUrl: string): Promise<TestServer> {
  const server = await startServer(
    {
      PARLEY_SMTP_URL: smtpUrl,
      PARLEY_MAIL_FROM: 'Parley <chat@example.org>',
      PARLEY_PUBLIC_URL: 'https://chat.example.org',
    },
    dataDir,
  );
  closing.push(() => server.close());
  return server;
}

const { user, pass } = SMTP_USER;
const credentials = `${user}:${encodeURIComponent(pass)}`;
const register = (server: TestServer, name: string, language = 'en') =>
  server.client().request('POST', '/api/users/register', { ...details(name), language });
const registerEmail = (server: TestServer, email: string) =>
  server.client().request('POST', '/api/users/register', { ...details('Anna'), email });
const queuedMails = (server: TestServer) =>
  server.ctx.storage.read((db) => db.selectFrom('outgoing_mails').selectAll().execute());

describe('a mail server', () => {
  test('gets mails to the ASCII form of an international domain', async () => {
    const smtp = await startInbox({ hideSMTPUTF8: true });
    const server = await startParley(`smtp://${credentials}@127.0.0.1:${smtp.port}`);
    expect((await registerEmail(server, 'anna@Straße.example')).status).toBe(201);
    await smtp.waitForMail('anna@xn--strae-oqa.example');
  });

  test.each(['jürgen@example.org', 'анна@пример.рф', 'j\u030can@bücher.example'])(
    'gets mails to %s if it supports SMTPUTF8',
    async (email) => {
      const smtp = await startInbox();
      const server = await startParley(`smtp://${credentials}@127.0.0.1:${smtp.port}`);
      expect((await registerEmail(server, email)).status).toBe(201);
      await until(() => smtp.mails.length === 1);
      expect(smtp.envelopes).toMatchObject([{ smtpUtf8: true }]);
    },
  );

  test('lets addresses with other letters than ASCII register only if it supports SMTPUTF8', async () => {
    const smtp = await startInbox({ hideSMTPUTF8: true });
    const server = await startParley(`smtp://${credentials}@127.0.0.1:${smtp.port}`);
    for (const email of ['jürgen@example.org', 'анна@пример.рф', 'ａｎｎａ@example.org']) {
      expect(await registerEmail(server, email)).toMatchObject({
        status: 400,
        body: { code: 'email_not_supported' },
      });
    }
    expect((await registerEmail(server, 'anna@пример.рф')).status).toBe(201);
    await smtp.waitForMail('anna@xn--e1afmkfd.xn--p1ai');
    expect(smtp.mails).toHaveLength(1);
  });

  test('receives mails over STARTTLS after a login, in both languages, as text and HTML', async () => {
    const smtp = await startInbox();
    const server = await startParley(`smtp://${credentials}@127.0.0.1:${smtp.port}`);
    await register(server, 'Anna');
    await register(server, 'Jürgen', 'de');

    const english = await smtp.waitForMail('anna@example.org');
    expect(english.subject).toBe('Confirm your email for Parley');
    expect(english.from).toMatchObject({ name: 'Parley', address: 'chat@example.org' });
    expect(english.html).toContain('<html lang="en">');
    expect(english.html).toContain('Welcome, Anna!');
    expect(english.text).toContain('https://chat.example.org/register/verify');
    const key = getKey(english);
    expect(english.html).toContain(`>${key}<`);
    const body = { email: 'anna@example.org', key };
    const response = await server.client().request('POST', '/api/users/register/verify', body);
    expect(response.status).toBe(200);

    const german = await smtp.waitForMail('jürgen@example.org');
    expect(german.subject).toBe('Bestätige deine E-Mail-Adresse für Parley');
    expect(german.text).toContain('Willkommen, Jürgen!');
    expect(german.html).toContain('<html lang="de">');
    expect(german.html).toContain(`>${getKey(german)}<`);

    await server.client().request('PATCH', '/api/users/forgot-pw', { email: 'anna@example.org' });
    const reset = await smtp.waitForMail('anna@example.org', 2);
    expect(reset.subject).toBe('Reset your Parley password');
    expect(getKey(reset)).toMatch(/^[A-Z2-9]{8}$/);

    expect(smtp.sessions.every((s) => s.secure && s.user === SMTP_USER.user)).toBe(true);
    await until(async () => (await queuedMails(server)).length === 0);
  });

  test('receives mails over implicit TLS with an smtps URL', async () => {
    const smtp = await startInbox({ secure: true });
    const server = await startParley(`smtps://${credentials}@127.0.0.1:${smtp.port}`);
    await register(server, 'Anna');
    await smtp.waitForMail('anna@example.org');
    expect(smtp.sessions).toEqual([{ secure: true, user: SMTP_USER.user }]);
  });

  test('receives neither password nor mail if it does not support TLS', async () => {
    const smtp = await startInbox({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    const server = await startParley(`smtp://${credentials}@127.0.0.1:${smtp.port}`);
    expect((await register(server, 'Anna')).status).toBe(201);
    await until(async () => (await queuedMails(server))[0]?.attempts === 1);
    expect(smtp.mails).toEqual([]);
  });

  test('receives mails without TLS if the URL has no credentials', async () => {
    const smtp = await startInbox({ disabledCommands: ['AUTH', 'STARTTLS'] });
    const server = await startParley(`smtp://127.0.0.1:${smtp.port}`);
    await register(server, 'Anna');
    await smtp.waitForMail('anna@example.org');
    expect(smtp.sessions).toEqual([{ secure: false, user: undefined }]);
  });

  test('does not block requests while it is down and receives the mail once it is up again', async () => {
    const gone = await startSmtpInbox();
    await gone.close();
    const server = await startParley(`smtp://${credentials}@127.0.0.1:${gone.port}`);
    expect((await register(server, 'Anna')).status).toBe(201);
    await until(async () => (await queuedMails(server))[0]?.attempts === 1);
    const smtp = await startInbox({}, gone.port);
    getKey(await smtp.waitForMail('anna@example.org'));
    expect(smtp.mails).toHaveLength(1);
  });

  test('receives a mail only once even if it refuses the first attempt temporarily', async () => {
    let refusals = 1;
    const smtp = await startInbox({
      onRcptTo(_address, _session, done) {
        const error = Object.assign(new Error('greylisted'), { responseCode: 451 });
        done(refusals-- > 0 ? error : null);
      },
    });
    const server = await startParley(`smtp://${credentials}@127.0.0.1:${smtp.port}`);
    await register(server, 'Anna');
    await smtp.waitForMail('anna@example.org');
    await until(async () => (await queuedMails(server)).length === 0);
    expect(smtp.mails).toHaveLength(1);
  });

  test('gets no second attempt after it has refused the recipient permanently', async () => {
    const smtp = await startInbox({
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error('no such user'), { responseCode: 550 })),
    });
    const server = await startParley(`smtp://${credentials}@127.0.0.1:${smtp.port}`);
    await register(server, 'Anna');
    await until(async () => (await queuedMails(server)).length === 0);
    await until(() => server.log.some((line) => line.includes('permanently refused')));
    expect(server.log.join('')).not.toContain('anna@example.org');
  });
});

test('queued mails survive a restart, and those with an expired key are discarded', async () => {
  const gone = await startSmtpInbox();
  await gone.close();
  const before = await startParley(`smtp://${credentials}@127.0.0.1:${gone.port}`);
  await register(before, 'Anna');
  await register(before, 'Berta');
  await until(async () => (await queuedMails(before)).every((mail) => mail.attempts > 0));
  await before.ctx.storage.write(({ trx }) =>
    trx
      .updateTable('outgoing_mails')
      .set({ expires_at: 1 })
      .where('registration_id', 'in', (query) =>
        query.selectFrom('registrations').select('id').where('username', '=', 'Berta'),
      )
      .execute(),
  );
  await closing.pop()?.();

  const smtp = await startInbox({}, gone.port);
  const after = await startParley(`smtp://${credentials}@127.0.0.1:${gone.port}`);
  getKey(await smtp.waitForMail('anna@example.org'));
  await until(async () => (await queuedMails(after)).length === 0);
  expect(smtp.mails).toHaveLength(1);
});

test('a mail server that does not respond does not delay the shutdown', async () => {
  const smtp = await startInbox({ onConnect: () => undefined });
  const server = await startParley(`smtp://${credentials}@127.0.0.1:${smtp.port}`);
  await register(server, 'Anna');
  await closing.pop()?.();
  const again = await startServer({}, dataDir);
  closing.push(() => again.close());
  expect(
    await again.ctx.storage.read((db) => db.selectFrom('registrations').selectAll().execute()),
  ).toHaveLength(1);
});
