import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startServer, type TestServer } from '../../test/harness.ts';
import { details, join as joinAs } from '../../test/joining.ts';
import { getKey, readMails, waitForMail } from '../../test/mails.ts';
import { until } from '../../test/until.ts';
import { waitForErasure } from '../../test/wait-for-erasure.ts';
import type { Storage } from '../storage/storage.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

const register = (name: string) =>
  server.client().request('POST', '/api/users/register', details(name));

test('writes each mail to a private file if there is no mail server', async () => {
  await register('Anna');
  await waitForMail(server, 'anna@example.org');
  await register('Berta');
  await waitForMail(server, 'berta@example.org');
  const folder = join(server.dataDir, 'outbox');
  const names = await readdir(folder);
  expect(names).toHaveLength(2);
  for (const name of names) {
    expect(name).toMatch(/^\d{8}T\d{9}Z-verify-[0-9a-f]{12}\.eml$/);
    expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
  }
  const mails = await readMails(server);
  expect(mails.map((mail) => mail.to?.[0]?.address)).toEqual([
    'anna@example.org',
    'berta@example.org',
  ]);
  expect(mails[0]?.from).toMatchObject({ name: 'Parley', address: 'parley@localhost' });
  expect(mails[0]?.headers).toContainEqual(
    expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
  );
});

test.each(['jürgen@bücher.example', 'anna@例え.テスト', 'ANNA@XN--bcher-kva.example'])(
  'deletes the mails to %s with its account',
  async (email) => {
    const client = server.client();
    const body = { ...details('Anna'), email };
    expect((await client.request('POST', '/api/users/register', body)).status).toBe(201);
    await register('Berta');
    const [first = expect.fail()] = await until(async () => {
      const mails = await readMails(server);
      return mails.length === 2 && mails;
    });
    const verify = { email, key: getKey(first) };
    expect((await client.request('POST', '/api/users/register/verify', verify)).status).toBe(200);
    const login = { email: email.toUpperCase(), password: body.password };
    expect((await client.request('POST', '/api/users/login', login)).status).toBe(200);
    const { usermail } = (await client.request('GET', '/api/users/current')).body;
    expect(usermail).toBe(email.toLowerCase().replace('xn--bcher-kva', 'bücher'));
    expect((await client.request('DELETE', '/api/users/delete')).status).toBe(200);
    await waitForErasure(server);
    const left = (await readMails(server)).map((mail) => mail.to?.[0]?.address);
    expect(left).toEqual(['berta@example.org']);
  },
);

test('logs the key for the operator if there is no mail server', async () => {
  await register('Anna');
  const key = getKey(await waitForMail(server, 'anna@example.org'));
  const line = await until(() => server.log.find((l) => l.includes(`The key in it is ${key}`)));
  expect(line).toContain('PARLEY_SMTP_URL');
});

test('does not send a mail that was replaced while it was queued', async () => {
  await joinAs(server, 'Anna', 'verified');
  await Promise.all(
    Array.from({ length: 5 }, () =>
      server.client().request('PATCH', '/api/users/forgot-pw', { email: 'anna@example.org' }),
    ),
  );
  await until(async () => {
    const waiting = await server.ctx.storage.read((db) =>
      db.selectFrom('outgoing_mails').select('id').execute(),
    );
    return waiting.length === 0;
  });
  const resets = (await readMails(server)).slice(1);
  const last = getKey(resets.at(-1) ?? expect.fail());
  const body = { email: 'anna@example.org', key: last, newPw: 'brand new' };
  expect((await server.client().request('PATCH', '/api/users/new-pw', body)).status).toBe(200);
});

describe('a mail whose deletion from the queue was committed although it seemed to fail', () => {
  /** Registers Anna and loses the response to the deletion of her mail, after `onLost`. */
  async function loseResponse(
    onLost: (write: Storage['write']) => Promise<unknown>,
  ): Promise<void> {
    const { storage } = server.ctx;
    const write = storage.write.bind(storage);
    let isLost = false;
    vi.spyOn(storage, 'write').mockImplementation(async (work, options) => {
      const result = await write(work, options);
      if (result !== true || isLost) return result;
      isLost = true;
      await onLost(write);
      throw new SQLite.SqliteError('the connection was lost', 'SQLITE_IOERR');
    });
    await register('Anna');
    await until(() => server.log.some((line) => line.includes('is not recorded yet')));
    // It is sent after everything that concerns the first one.
    await register('Berta');
    await waitForMail(server, 'berta@example.org');
  }
  const recipients = async () =>
    (await readMails(server)).map((mail) => mail.to?.[0]?.address ?? '');

  test('is kept', async () => {
    await loseResponse(async () => undefined);
    expect(await recipients()).toEqual(['anna@example.org', 'berta@example.org']);
  });

  test('is recalled if its registration was deleted in the meantime', async () => {
    await loseResponse((write) => write(({ trx }) => trx.deleteFrom('registrations').execute()));
    expect(await recipients()).toEqual(['berta@example.org']);
  });
});
