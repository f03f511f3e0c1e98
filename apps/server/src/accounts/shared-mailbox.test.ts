import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestClient, startServer, type TestServer } from '../../test/harness.ts';
import { getKey, waitForMail } from '../../test/mails.ts';
import { runCommand } from '../../test/run-command.ts';
import { until } from '../../test/until.ts';
import type { Finding } from '../doctor/finding.ts';
import { warnOfSharedMailboxes } from './email-clash.service.ts';

const EMAIL = 'anna@xn--mller-kva.example';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
  // Two accounts of one mailbox, as earlier versions allowed them.
  for (const [username, email] of [
    ['Anna', EMAIL],
    ['Anna2', 'anna2@example.org'],
  ] as const) {
    const body = { username, email, password: `password of ${username}` };
    await server.client().request('POST', '/api/users/register', body);
    const key = getKey(await waitForMail(server, email));
    await server.client().request('POST', '/api/users/register/verify', { email, key });
  }
  await server.ctx.storage.write(async ({ trx }) => {
    const { id } = await trx
      .updateTable('users')
      .set({ email: 'anna@müller.example' })
      .where('username', '=', 'Anna2')
      .returning('id')
      .executeTakeFirstOrThrow();
    await trx.insertInto('email_clashes').values({ user_id: id, email: EMAIL }).execute();
  });
});
afterEach(() => server.close());

async function logIn(password: string, client = server.client()): Promise<string | undefined> {
  const body = { email: 'Anna@Müller.example', password };
  const { status } = await client.request('POST', '/api/users/login', body);
  if (status !== 200) return undefined;
  const { username, usermail } = (await client.request('GET', '/api/users/current')).body;
  expect(usermail).toBe('anna@müller.example');
  return username;
}

/** Sets a password with a link of the operator. Returns the cookie that makes the browser known for the account. */
async function setPassword(username: string, newPw: string): Promise<string> {
  const { json } = await runCommand(server.variables, 'user', 'reset-link', username, '--json');
  const fragment = Object.fromEntries(new URLSearchParams(new URL(json.link).hash.slice(1)));
  expect(fragment['email']).toBe('anna@müller.example');
  const { status, headers } = await server
    .client()
    .request('PATCH', '/api/users/new-pw', { ...fragment, newPw });
  expect(status).toBe(200);
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

const checkMailboxes = async (): Promise<Finding | undefined> => {
  const { json } = await runCommand(server.variables, 'doctor', '--quick', '--json');
  const findings: Finding[] = json;
  return findings.find(({ check }) => check === 'mailboxes');
};

/** Adds a deleted account with the address, as a server of an earlier version leaves it. */
async function addEndedAccount(): Promise<void> {
  const { id } = await server.signIn('Berta');
  await server.ctx.storage.write(async ({ trx }) => {
    const ended = { email: `ended:${id}`, password_hash: '', ended_at: Date.now() };
    await trx.updateTable('users').set(ended).where('id', '=', id).execute();
    await trx.insertInto('email_clashes').values({ user_id: id, email: EMAIL }).execute();
  });
}

describe('accounts of one mailbox in several forms', () => {
  test('each log in with their own password, in whatever form the address is typed', async () => {
    expect(await logIn('password of Anna')).toBe('Anna');
    expect(await logIn('password of Anna2')).toBe('Anna2');
    expect(await logIn('password of another')).toBeUndefined();
  });

  test('each log in on the devices that know them if they have the same password', async () => {
    const password = 'password of both';
    for (const username of ['Anna', 'Anna2']) {
      const device = createTestClient(server.url, await setPassword(username, password));
      expect(await logIn(password, device)).toBe(username);
    }
    expect(await logIn(password)).toBe('Anna');
  });

  test('get a reset key each, in mails to the ASCII form that name them', async () => {
    const forgot = { email: 'anna@mu\u0308ller.example' };
    expect((await server.client().request('PATCH', '/api/users/forgot-pw', forgot)).status).toBe(
      200,
    );
    await waitForMail(server, EMAIL, 3);
    const mails = await Promise.all([2, 3].map((count) => waitForMail(server, EMAIL, count)));
    const isTo = (name: string) => (mail: (typeof mails)[number]) =>
      mail.text?.includes(`${name}!`);
    for (const username of ['Anna2', 'Anna']) {
      const mail = mails.find(isTo(username)) ?? expect.fail(mails.map(({ text }) => text).join());
      const body = { ...forgot, key: getKey(mail), newPw: `newer password of ${username}` };
      expect((await server.client().request('PATCH', '/api/users/new-pw', body)).status).toBe(200);
      expect(await logIn(`newer password of ${username}`)).toBe(username);
    }
  });

  test('are reported to the operator, who names one by its username', async () => {
    await warnOfSharedMailboxes(server.ctx);
    const line = await until(() =>
      server.log.find((each) => each.includes('more than one account')),
    );
    expect(line).not.toMatch(/anna/i);
    expect(await checkMailboxes()).toMatchObject({
      outcome: 'warning',
      message: expect.stringContaining('Anna and Anna2'),
      advice: expect.stringContaining('parley user delete'),
    });
    const suspend = (user: string) =>
      runCommand(server.variables, 'user', 'suspend', user, '--yes');
    expect(await suspend('anna@müller.example')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There are 2 accounts with the email address'),
    });
    expect(await suspend('Anna2')).toMatchObject({ code: 0 });
    const { stdout } = await runCommand(server.variables, 'user', 'list');
    expect(stdout.match(/anna@müller\.example/g)).toHaveLength(2);
  });

  test('keep others from registering the address, and the last one has it alone', async () => {
    const register = (email: string) =>
      server
        .client()
        .request('POST', '/api/users/register', { email, username: 'Otto', password: 'password' });
    expect((await register(EMAIL)).body.code).toBe('account_taken');
    await runCommand(server.variables, 'user', 'delete', 'Anna', '--yes');
    expect((await register('anna@MÜLLER.example')).body.code).toBe('account_taken');
    expect(await logIn('password of Anna')).toBeUndefined();
    expect(await logIn('password of Anna2')).toBe('Anna2');
    expect(await checkMailboxes()).toMatchObject({ outcome: 'ok' });
    await addEndedAccount();
    expect(await logIn('password of Anna2')).toBe('Anna2');
    expect(await checkMailboxes()).toMatchObject({ outcome: 'ok' });
    await runCommand(server.variables, 'user', 'delete', 'anna@müller.example', '--yes');
    expect((await register('anna@müller.example')).status).toBe(201);
  });
});
