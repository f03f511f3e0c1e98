import { loadTexts } from '@parley/texts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginChat, send } from '../../test/chatting.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { details, login } from '../../test/joining.ts';
import { getKey } from '../../test/mails.ts';
import {
  SMTP_CERTIFICATE,
  SMTP_USER,
  startSmtpInbox,
  type SmtpInbox,
} from '../../test/smtp-inbox.ts';
import { trust } from '../../test/trust.ts';
import { until } from '../../test/until.ts';

let smtp: SmtpInbox;
let server: TestServer;
beforeAll(async () => {
  trust(SMTP_CERTIFICATE.cert);
  smtp = await startSmtpInbox();
  const credentials = `${SMTP_USER.user}:${encodeURIComponent(SMTP_USER.pass)}`;
  server = await startServer({ PARLEY_SMTP_URL: `smtp://${credentials}@127.0.0.1:${smtp.port}` });
});
afterAll(async () => {
  await server.close();
  await smtp.close();
  trust();
});

test('never logs a password, key, cookie, IP or email address, mail or message', async () => {
  const anna = Object.assign(server.client(), details('Anna'));
  const berta = await server.signIn('Berta');
  const api = (method: string, path: string, body?: unknown) => anna.request(method, path, body);
  const { email, password } = anna;

  const registration = await api('POST', '/api/users/register', {
    username: 'Anna',
    email,
    password,
  });
  expect(registration.status).toBe(201);
  const mail = await smtp.waitForMail(email).catch((cause: unknown) => {
    throw new Error(`no mail arrived: ${server.log.join('')}`, { cause });
  });
  const verifyKey = getKey(mail);
  await api('POST', '/api/users/register/verify', { email, key: '000000' });
  await api('POST', '/api/users/register/verify', { email, key: verifyKey });
  await api('POST', '/api/users/login', { email, password: 'not-the-password' });
  await login(anna, anna);
  const cookies = [anna.cookie];
  const room = await beginChat(berta, { ...berta, username: 'Anna' }, 'the first words');
  await send(berta, room, 'more words');
  await api('PATCH', '/api/users/update', { oldPassword: 'not-the-password', newPassword: 'x' });
  await api('PATCH', '/api/users/update', { oldPassword: password, newPassword: 'second-secret' });
  await api('PATCH', '/api/users/forgot-pw', { email });
  const { subject } = (await loadTexts('en', 'mail')).reset;
  const reset = await until(() => smtp.mails.find((mail) => mail.subject === subject));
  const resetKey = getKey(reset);
  await api('PATCH', '/api/users/new-pw', { email, key: resetKey, newPw: 'third-secret' });
  await login(anna, { email, password: 'third-secret' });
  cookies.push(anna.cookie, berta.cookie);

  // Errors are the most likely to reveal secrets.
  await api('POST', '/api/users/login', `{"email":"${email}","password":"${password}`);
  await server.ctx.storage.write(({ trx }) =>
    trx.updateTable('users').set({ password_hash: 'damaged' }).where('email', '=', email).execute(),
  );
  expect((await api('POST', '/api/users/login', { email, password: 'third-secret' })).status).toBe(
    500,
  );
  await api('DELETE', '/api/users/delete');

  const log = server.log.join('');
  expect(log).toContain('unexpected error');
  const secrets = [password, 'second-secret', 'third-secret', 'not-the-password', email];
  secrets.push('the first words', 'more words', SMTP_USER.pass);
  for (const cookie of cookies) {
    const value = cookie.split('=')[1] ?? '';
    secrets.push(value, decodeURIComponent(value).split('.')[0] ?? '');
  }
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(5);
    expect(log).not.toContain(secret);
  }
  // Six digits may also be part of a timestamp.
  for (const key of [verifyKey, resetKey]) expect(log).not.toMatch(new RegExp(`\\b${key}\\b`));
});
