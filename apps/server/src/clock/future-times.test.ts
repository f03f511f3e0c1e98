import type { Selectable } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startFreshServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { details } from '../../test/joining.ts';
import { waitForMail } from '../../test/mails.ts';
import { until } from '../../test/until.ts';
import { isSessionActive, openSession } from '../sessions/session.service.ts';
import { newId } from '../storage/ids.ts';
import type { Tables } from '../storage/tables/index.ts';
import { correctFutureTimes } from './future-times.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** How far ahead the clock was. */
const AHEAD = 300 * DAY;

let server: TestServer;
let ada: TestUser;
beforeEach(async () => {
  server = await startFreshServer();
  // The check at the start would see the clock ahead.
  await until(() => server.log.some((line) => line.includes('finished checking stored times')));
  ada = await server.signIn('Ada');
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

/** Does something while the clock is ahead. */
async function whileAhead<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + AHEAD });
  const result = await work();
  vi.useRealTimers();
  return result;
}

const rowsOf = <Name extends keyof Tables>(table: Name) =>
  server.ctx.storage.read((db) =>
    (db.selectFrom(table) as { selectAll(): { execute(): Promise<unknown> } })
      .selectAll()
      .execute(),
  ) as Promise<Selectable<Tables[Name]>[]>;

describe('after the clock was put back', () => {
  test('a session lasts no longer than 30 days', async () => {
    await whileAhead(() => server.renewSession(ada));
    await correctFutureTimes(server.ctx, true);
    for (const session of await rowsOf('sessions')) {
      expect(session.expires_at).toBeLessThanOrEqual(Date.now() + 30 * DAY);
      expect(session.last_seen_at).toBeLessThanOrEqual(Date.now());
    }
    expect((await ada.request('GET', '/api/sessions')).status).toBe(200);
  });

  test('a session in use lasts no longer than 30 days either', async () => {
    await whileAhead(async () => {
      await server.renewSession(ada);
      expect((await ada.request('GET', '/api/sessions')).status).toBe(200);
    });
    await ada.request('GET', '/api/sessions');
    await correctFutureTimes(server.ctx, true);
    const usedAt = Date.now() + 11 * MINUTE;
    vi.useFakeTimers({ toFake: ['Date'], now: usedAt });
    await ada.request('GET', '/api/sessions');
    const sessions = await until(async () => {
      const rows = await rowsOf('sessions');
      return rows.some((row) => row.last_seen_at === usedAt) && rows;
    });
    const ends = sessions.map((row) => row.expires_at);
    expect(Math.max(...ends)).toBeLessThanOrEqual(usedAt + 30 * DAY);
  });

  test('a key lasts no longer than its lifetime', async () => {
    const client = server.client();
    await whileAhead(async () => {
      const { status } = await client.request('POST', '/api/users/register', details('Bob'));
      expect(status).toBe(201);
      const body = { email: `${ada.id}@example.org` };
      expect((await client.request('PATCH', '/api/users/forgot-pw', body)).status).toBe(200);
      await server.renewSession(ada);
      const change = { email: 'ada@new.example', password: 'password' };
      expect((await ada.request('POST', '/api/users/email', change)).status).toBe(202);
      const former = { user_id: ada.id, email: 'ada@old.example', stored_email: '', position: 1 };
      const key = { key_hash: '', expires_at: Date.now() + 7 * DAY };
      await server.ctx.storage.write(({ trx }) =>
        trx
          .insertInto('former_emails')
          .values({ ...former, ...key })
          .execute(),
      );
    });
    await correctFutureTimes(server.ctx, true);
    const [key] = await rowsOf('account_keys');
    expect(key?.expires_at).toBeLessThanOrEqual(Date.now() + HOUR);
    const [change] = await rowsOf('email_changes');
    expect(change?.key_expires_at).toBeLessThanOrEqual(Date.now() + DAY);
    const [former] = await rowsOf('former_emails');
    expect(former?.expires_at).toBeLessThanOrEqual(Date.now() + 7 * DAY);
    const [registration] = await rowsOf('registrations');
    expect(registration?.key_expires_at).toBeLessThanOrEqual(Date.now() + DAY);
    expect(registration?.created_at).toBeLessThanOrEqual(Date.now());
  });

  test('an invitation lasts as long as it would have', async () => {
    const { status } = await whileAhead(async () => {
      await server.renewSession(ada);
      return ada.request('POST', '/api/invitations', { isSingleUse: true });
    });
    expect(status).toBe(201);
    const [before] = await rowsOf('invitations');
    await correctFutureTimes(server.ctx, true);
    const [invitation] = await rowsOf('invitations');
    const lifetime = (before?.expires_at ?? 0) - (before?.created_at ?? 0);
    expect(invitation?.created_at).toBeLessThanOrEqual(Date.now());
    expect((invitation?.expires_at ?? 0) - (invitation?.created_at ?? 0)).toBe(lifetime);
  });
});

test('nothing is corrected by a clock that is certainly behind', async () => {
  const before = await rowsOf('sessions');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(1970, 0, 2) });
  expect(await correctFutureTimes(server.ctx, true)).toBe(0);
  expect(await rowsOf('sessions')).toEqual(before);
});

test('a clock that is behind after a start ends no session', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 60 * DAY });
  server = await server.restart();
  await until(() => server.log.some((line) => line.includes('finished checking stored times')));
  await ada.request('GET', '/api/sessions');
  vi.useRealTimers();
  expect((await ada.request('GET', '/api/sessions')).status).toBe(200);
});

test('a session that begins while the clock is certainly behind lasts 30 days from when it is right', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(1970, 0, 2) });
  const login = { userId: ada.id, token: 'token', device: 'test' };
  const id = await server.ctx.storage.write((write) => openSession(write, login));
  vi.useRealTimers();
  expect(await isSessionActive(server.ctx, id)).toBe(true);
  await correctFutureTimes(server.ctx, true);
  const ends = (await rowsOf('sessions')).map((row) => row.expires_at);
  expect(Math.max(...ends)).toBeLessThanOrEqual(Date.now() + 30 * DAY);
  expect(Math.min(...ends)).toBeGreaterThan(Date.now() + 29 * DAY);
});

test('clocks of servers may differ by a minute', async () => {
  const before = await rowsOf('sessions');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 55_000 });
  expect(await correctFutureTimes(server.ctx, true)).toBe(0);
  expect(await rowsOf('sessions')).toEqual(before);
});

test('a running server notices that the clock is put back, and sends what waits', async () => {
  await server.close();
  const isNoticed = () => server.log.some((line) => line.includes('was put back'));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + AHEAD });
  server = await startFreshServer();
  const { id } = await server.signIn('Ada');
  expect(isNoticed()).toBe(false);
  await server.ctx.storage.write(({ trx }) =>
    trx
      .insertInto('outgoing_mails')
      .values({
        id: newId(),
        user_id: id,
        registration_id: null,
        email: null,
        purpose: 'password-changed',
        key: null,
        attempts: 0,
        next_attempt_at: Date.now() + MINUTE,
        expires_at: Date.now() + DAY,
        created_at: Date.now(),
      })
      .execute(),
  );
  vi.useRealTimers();
  await waitForMail(server, `${id}@example.org`);
  expect(isNoticed()).toBe(true);
});
