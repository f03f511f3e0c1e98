import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordEvents } from '../../test/chatting.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { join, login, type Member } from '../../test/joining.ts';
import { until } from '../../test/until.ts';
import { endExpiredSessions, SESSIONS_MAX } from './session.service.ts';
import { SESSION_IDLE_TIMEOUT, SESSION_TOUCH_INTERVAL } from './session.store.ts';

let server: TestServer;
let anna: Member;
beforeEach(async () => {
  server = await startServer();
  anna = await join(server, 'Anna');
});
afterEach(() => server.close());

const rows = () => server.ctx.storage.read((db) => db.selectFrom('sessions').selectAll().execute());
const isLive = async (client: { request: Member['request'] }) =>
  (await client.request('GET', '/api/users/current')).status === 200;

async function secondDevice() {
  const client = server.client();
  await login(client, anna);
  return client;
}

/** Sets the last use of every session to `ms` milliseconds ago. */
const age = (ms: number) =>
  server.ctx.storage.write(({ trx }) =>
    trx
      .updateTable('sessions')
      .set({ last_seen_at: Date.now() - ms, expires_at: Date.now() - ms + SESSION_IDLE_TIMEOUT })
      .execute(),
  );

describe('the list of sessions', () => {
  test("contains only the user's own sessions and marks the current one", async () => {
    const phone = await secondDevice();
    await join(server, 'Berta');
    const response = await phone.request('GET', '/api/sessions');
    expect(response.status).toBe(200);
    expect(response.body.sessions).toHaveLength(2);
    expect(response.body.sessions[0]).toEqual({
      id: expect.any(String),
      device: 'node',
      createdAt: expect.stringMatching(/Z$/),
      lastSeenAt: expect.stringMatching(/Z$/),
      isCurrent: true,
    });
    expect(response.body.sessions[1].isCurrent).toBe(false);
    expect(JSON.stringify(response.body)).not.toContain((await rows())[0]?.token_hash);
  });
});

describe('ending a session', () => {
  test("ends the user's session on another device", async () => {
    const phone = await secondDevice();
    const list = (await anna.request('GET', '/api/sessions')).body.sessions;
    const other = list.find((session: { isCurrent: boolean }) => !session.isCurrent);
    const events = recordEvents(server);
    const response = await anna.request('DELETE', `/api/sessions/${other.id.toUpperCase()}`);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ok: true });
    expect(events).toEqual([{ type: 'sessions-ended', sessionIds: [other.id], reason: 'revoked' }]);
    expect(await isLive(phone)).toBe(false);
    expect(await isLive(anna)).toBe(true);
    expect((await anna.request('DELETE', `/api/sessions/${other.id}`)).status).toBe(404);
  });

  test('sends 404 for sessions of others and sessions that do not exist', async () => {
    const berta = await server.signIn('Berta');
    for (const id of [berta.sessionId, randomUUID()]) {
      const response = await anna.request('DELETE', `/api/sessions/${id}`);
      expect(response.status).toBe(404);
      expect(response.body.code).toBe('not_found');
    }
    expect(await isLive(berta)).toBe(true);
  });

  test.each(['x', '%00', 'null', '0'.repeat(36)])('rejects the id %s', async (id) => {
    const response = await anna.request('DELETE', `/api/sessions/${id}`);
    expect(response.status).toBe(400);
    expect(response.body.code).toBe('invalid_request');
  });

  test('ends all sessions except the current one', async () => {
    const others = [await secondDevice(), await secondDevice()];
    const berta = await server.signIn('Berta');
    const events = recordEvents(server);
    expect((await anna.request('DELETE', '/api/sessions')).status).toBe(200);
    expect(await isLive(anna)).toBe(true);
    expect(await isLive(berta)).toBe(true);
    for (const other of others) expect(await isLive(other)).toBe(false);
    expect(events).toEqual([
      {
        type: 'sessions-ended',
        sessionIds: [expect.any(String), expect.any(String)],
        reason: 'revoked',
      },
    ]);
    expect((await anna.request('DELETE', '/api/sessions')).status).toBe(200);
    expect(events).toHaveLength(1);
  });

  test('requires a session and the same origin', async () => {
    const single = `/api/sessions/${randomUUID()}`;
    const origin = { origin: 'https://evil.example' };
    expect((await server.client().request('GET', '/api/sessions')).status).toBe(401);
    for (const target of [single, '/api/sessions']) {
      expect((await server.client().request('DELETE', target)).status).toBe(401);
      expect((await anna.request('DELETE', target, undefined, origin)).status).toBe(403);
    }
  });
});

describe('a browser that was closed', () => {
  const refusal = (client: { request: Member['request'] }) =>
    client.request('GET', '/api/users/current');

  test('gets the reason on its next request if its session was revoked on another device', async () => {
    const phone = await secondDevice();
    await anna.request('DELETE', '/api/sessions');
    const first = await refusal(phone);
    expect(first.status).toBe(401);
    expect(first.body).toMatchObject({ code: 'unauthenticated', sessionEnded: 'revoked' });
    // Concurrent requests get the same response, because none of them clears the cookie.
    expect(first.headers.getSetCookie()).toEqual([]);
    expect((await refusal(phone)).body.sessionEnded).toBe('revoked');
    await login(phone, anna);
    expect(await isLive(phone)).toBe(true);
  });

  test('gets the reason if the password was changed', async () => {
    const phone = await secondDevice();
    const newPassword = 'another horse';
    await anna.request('PATCH', '/api/users/update', { oldPassword: anna.password, newPassword });
    expect((await refusal(phone)).body.sessionEnded).toBe('password-changed');
  });

  test('gets the reason if the account was deleted, from a record without user data', async () => {
    const phone = await secondDevice();
    await anna.request('DELETE', '/api/users/delete');
    expect((await refusal(phone)).body.sessionEnded).toBe('account-deleted');
    const ended = await server.ctx.storage.read((db) =>
      db.selectFrom('ended_sessions').selectAll().execute(),
    );
    expect(ended.map((row) => Object.keys(row))).toEqual(
      ended.map(() => ['token_hash', 'reason', 'ended_at']),
    );
  });

  test('gets no reason for a session that expired or never existed', async () => {
    await age(SESSION_IDLE_TIMEOUT + 1);
    expect((await refusal(anna)).body).not.toHaveProperty('sessionEnded');
    expect((await refusal(server.client())).body).not.toHaveProperty('sessionEnded');
  });

  test('gets the reason for 30 days', async () => {
    const phone = await secondDevice();
    await anna.request('DELETE', '/api/sessions');
    const day = 24 * 60 * 60 * 1000;
    const setEnded = (ago: number) =>
      server.ctx.storage.write(({ trx }) =>
        trx
          .updateTable('ended_sessions')
          .set({ ended_at: Date.now() - ago })
          .execute(),
      );
    await setEnded(29 * day);
    await endExpiredSessions(server.ctx);
    expect((await refusal(phone)).body.sessionEnded).toBe('revoked');
    await setEnded(31 * day);
    await endExpiredSessions(server.ctx);
    expect((await refusal(phone)).body).not.toHaveProperty('sessionEnded');
  });
});

describe('a session', () => {
  test('is not updated again within ten minutes after its last use', async () => {
    await age(SESSION_TOUCH_INTERVAL - 60_000);
    const [before] = await rows();
    await isLive(anna);
    await until(() => server.ctx.maintenance.writeQueueDepth === 0);
    expect(await rows()).toEqual([before]);
  });

  test('is extended by a use after more than ten minutes', async () => {
    await age(SESSION_TOUCH_INTERVAL + 1_000);
    const start = Date.now();
    await isLive(anna);
    const [after] = await until(async () => {
      const found = await rows();
      return (found[0]?.last_seen_at ?? 0) >= start && found;
    });
    expect(after?.expires_at).toBe((after?.last_seen_at ?? 0) + SESSION_IDLE_TIMEOUT);
  });

  test('is invalid and gets deleted after 30 days without use', async () => {
    await age(SESSION_IDLE_TIMEOUT + 1);
    expect(await isLive(anna)).toBe(false);
    const [session] = await rows();
    const events = recordEvents(server);
    await endExpiredSessions(server.ctx);
    expect(events).toEqual([
      { type: 'sessions-ended', sessionIds: [session?.id], reason: 'expired' },
    ]);
    expect(await rows()).toEqual([]);
  });

  test('has its cookie cleared once it is no longer valid', async () => {
    await server.ctx.storage.write(({ trx }) => trx.deleteFrom('sessions').execute());
    const response = await anna.request('GET', '/api/users/current');
    expect(response.status).toBe(401);
    expect(response.headers.getSetCookie()[0]).toMatch(/^parley\.sid=;/);
  });

  test('ends the least recently used one if the account has the maximum number', async () => {
    const oldest = (await rows())[0];
    await server.ctx.storage.write(async ({ trx }) => {
      const { id: _, ...session } = oldest ?? expect.fail();
      for (let i = 1; i < SESSIONS_MAX; i++) {
        const id = randomUUID();
        await trx
          .insertInto('sessions')
          .values({ ...session, id, token_hash: id, last_seen_at: Date.now() + i })
          .execute();
      }
    });
    const events = recordEvents(server);
    await secondDevice();
    expect(await rows()).toHaveLength(SESSIONS_MAX);
    expect(await isLive(anna)).toBe(false);
    expect(events).toEqual([
      { type: 'sessions-ended', sessionIds: [oldest?.id], reason: 'revoked' },
    ]);
  });

  test('survives a restart', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-test-'));
    const before = await startServer({}, dataDir);
    const { cookie } = await before.signIn('Carla');
    await before.close();
    const after = await startServer({}, dataDir);
    expect(await isLive(Object.assign(after.client(), { cookie }))).toBe(true);
    await after.close();
    await rm(dataDir, { recursive: true });
  });
});
