import { startPostgresCluster } from '@parley/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestClient, startServer, type TestServer } from '../../test/harness.ts';
import { details, join } from '../../test/joining.ts';
import { IS_ON_POSTGRES, startServerGroup, type ServerGroup } from '../../test/server-group.ts';
import type { SharedCounters } from '../storage/cluster.ts';

const ADDRESS = '192.0.2.1';

describe.skipIf(!IS_ON_POSTGRES)('two servers on one database', () => {
  let group: ServerGroup;
  beforeAll(async () => {
    group = await startServerGroup({ PARLEY_RATE_LIMITS: 'true', PARLEY_TRUST_PROXY: 'true' });
  });
  afterEach(() => group.empty());
  afterAll(() => group.closeAll());

  /** Sends the `i`-th request to one of the servers in turn. */
  const send = (i: number, method: string, path: string, body: unknown, cookie = '') =>
    createTestClient((group.servers[i % 2] as TestServer).url, cookie).request(method, path, body, {
      'x-forwarded-for': ADDRESS,
    });
  const verify = (i: number, email = 'anna@example.org') =>
    send(i, 'POST', '/api/users/register/verify', { email, key: '123456' });

  test('count attempts together and say when the window ends', async () => {
    for (let i = 0; i < 10; i += 1) expect((await verify(i)).status).toBe(409);
    for (let i = 0; i < 2; i += 1) {
      const { status, headers } = await verify(i);
      expect(status).toBe(429);
      const seconds = Number(headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60 * 60);
    }
    expect((await verify(0, 'berta@example.org')).status).toBe(409);
  });

  test('count registrations and attempts to enter the current password together', async () => {
    const register = (i: number) =>
      send(i, 'POST', '/api/users/register', { ...details('Anna'), username: 'admin' });
    for (let i = 0; i < 30; i += 1) expect((await register(i)).status).not.toBe(429);
    for (let i = 0; i < 2; i += 1) expect((await register(i)).status).toBe(429);

    const { cookie } = await group.servers[0].signIn('Berta');
    const change = (i: number) =>
      send(
        i,
        'PATCH',
        '/api/users/update',
        { oldPassword: '      ', newPassword: '      ' },
        cookie,
      );
    for (let i = 0; i < 10; i += 1) expect((await change(i)).status).not.toBe(429);
    for (let i = 0; i < 2; i += 1) expect((await change(i)).status).toBe(429);
  });

  test('never allow more than the limit at the same time', async () => {
    const responses = await Promise.all(Array.from({ length: 60 }, (_, i) => verify(i)));
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(10);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(50);
  });

  test('consume nothing for rejected requests', async () => {
    for (let i = 0; i < 30; i += 1) await verify(i);
    // 10 of the 60 attempts of the address are consumed.
    let allowed = 0;
    for (let i = 0; i < 60; i += 1) {
      if ((await verify(i, `a${i}@example.org`)).status === 409) allowed += 1;
    }
    expect(allowed).toBe(50);
  });

  test('refund successful logins as attempts, and allow 60 of them together', async () => {
    const { id } = await group.servers[0].signIn('Anna');
    const body = { email: `${id}@example.org`, password: 'password' };
    for (let i = 0; i < 60; i += 1) {
      expect((await send(i, 'POST', '/api/users/login', body)).status).toBe(200);
    }
    for (let i = 0; i < 2; i += 1) {
      expect((await send(i, 'POST', '/api/users/login', body)).status).toBe(429);
    }
    // The long timeout is needed to check the passwords.
  }, 60_000);

  test('know the same devices and count their attempts together', async () => {
    await group.leader().then((leader) => join(leader, 'Berta', 'verified'));
    const login = await send(0, 'POST', '/api/users/login', details('Berta'));
    const cookies = login.headers.getSetCookie();
    const cookie = cookies.find((each) => each.startsWith('parley.device='))?.split(';')[0] ?? '';
    const guess = { ...details('Berta'), password: 'a guess' };
    const attempt = (i: number) => send(i, 'POST', '/api/users/login', guess, cookie);
    for (let i = 0; i < 10; i += 1) expect((await attempt(i)).status).toBe(404);
    expect((await attempt(0)).status).toBe(429);
    expect((await attempt(1)).status).toBe(429);
    // They count by address as well, so they are not more than without the cookie.
    expect((await send(1, 'POST', '/api/users/login', details('Berta'))).status).toBe(429);
  });

  test('store neither email nor IP addresses', async () => {
    await verify(0);
    await group.run(`do $$ begin
      assert (select count(*) from shared_counters) = 2;
      assert (select bool_and(key ~ '^[A-Za-z0-9_-]{43}$') from shared_counters);
    end $$`);
  });

  describe('shared counters', () => {
    const HOUR = 60 * 60 * 1000;
    const counter = (key: string, max: number) => ({ key, max, duration: HOUR });
    const refuseAll = () => false;
    const expire = (key: string) =>
      group.run(`update shared_counters set ends_at = 1 where key = '${key}'`);
    let counters: SharedCounters;
    beforeEach(() => {
      counters = group.servers[0].ctx.cluster.sharedCounters ?? expect.fail();
    });
    afterEach(() => void vi.useRealTimers());

    test('begin a new window after the old one', async () => {
      const use = () => counters.use([counter('a', 1)], refuseAll);
      for (let i = 0; i < 2; i += 1) {
        expect(await use()).toEqual(new Map());
        const remainingTime = (await use()).get('a');
        expect(remainingTime).toBeGreaterThan(0);
        expect(remainingTime).toBeLessThanOrEqual(HOUR);
        await expire('a');
      }
    });

    test('do not depend on the clock of a server', async () => {
      const use = () => counters.use([counter('a', 1)], refuseAll);
      await use();
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * HOUR });
      await counters.deleteExpired();
      expect([...(await use()).keys()]).toEqual(['a']);
    });

    test('do not last longer than their windows if the clock of the database is put back', async () => {
      const use = () => counters.use([counter('a', 1)], refuseAll);
      await use();
      await group.run(`update shared_counters set ends_at = ends_at + ${2 * HOUR}`);
      expect(await use()).toEqual(new Map());
      expect([...(await use()).keys()]).toEqual(['a']);
    });

    test('count a use that began before the one that opened the window', async () => {
      const use = () => counters.use([counter('a', 1)], refuseAll);
      await use();
      // As if it waited for the lock of a later one.
      await group.run('update shared_counters set ends_at = ends_at + 1000');
      expect([...(await use()).keys()]).toEqual(['a']);
    });

    test('use the others although one is exhausted, if that is allowed', async () => {
      const both = [counter('b', 1), counter('a', 2)];
      await counters.use(both, refuseAll);
      expect([...(await counters.use(both, () => true)).keys()]).toEqual(['b']);
      const exhausted = await counters.use(both, refuseAll);
      expect([...exhausted.keys()].toSorted()).toEqual(['a', 'b']);
    });

    test('refund at most what was used', async () => {
      const only = [counter('a', 1)];
      await counters.use(only, refuseAll);
      await counters.refund([...only, counter('unknown', 1)]);
      await counters.refund(only);
      expect(await counters.use(only, refuseAll)).toEqual(new Map());
      expect((await counters.use(only, refuseAll)).size).toBe(1);
    });

    test('are deleted after their windows', async () => {
      await counters.use([counter('a', 1), counter('b', 1)], refuseAll);
      await expire('a');
      await counters.deleteExpired();
      await group.run(`do $$ begin
        assert (select array_agg(key) from shared_counters) = array['b'];
      end $$`);
    });

    test('do not block each other in any order, while they are deleted and refunded', async () => {
      // Some windows end at once.
      const keys = Array.from({ length: 8 }, (_, i) => ({
        ...counter(`key ${i}`, 1_000),
        duration: i % 2,
      }));
      const work = Array.from({ length: 100 }, (_, i) => {
        const some = keys.filter((_key, index) => (i + index) % 3 > 0);
        const ordered = i % 2 === 0 ? some : some.toReversed();
        const { sharedCounters = counters } = (group.servers[i % 2] as TestServer).ctx.cluster;
        if (i % 10 === 0) return sharedCounters.deleteExpired();
        if (i % 5 === 0) return sharedCounters.refund(ordered);
        return sharedCounters.use(ordered, refuseAll);
      });
      await Promise.all(work);
    });
  });
});

test.skipIf(!IS_ON_POSTGRES)(
  'requests with a shared limit fail as unavailable without the database, and servers can stop',
  async () => {
    const cluster = await startPostgresCluster();
    const server = await startServer({
      PARLEY_RATE_LIMITS: 'true',
      PARLEY_DATABASE_URL: cluster.urlOf('postgres'),
    });
    await cluster.stop();
    const body = { email: 'anna@example.org', key: '123456' };
    const response = await server.client().request('POST', '/api/users/register/verify', body);
    expect([response.status, response.body.code]).toEqual([503, 'unavailable']);
    await server.close();
  },
);
