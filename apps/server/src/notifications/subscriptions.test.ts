import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { LIMITS } from '@parley/contract';
import { beginChat, recordEvents, send } from '../../test/chatting.ts';
import { eraseAccount } from '../../test/fixtures.ts';
import { startServer, type TestUser } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { pushSubscription } from '../../test/push-subscription.ts';
import { startPushWorld, type PushWorld } from '../../test/push-world.ts';
import { runCommand } from '../../test/run-command.ts';
import { variablesOf } from '../../test/test-database.ts';
import { deleteUnused } from './subscription.service.ts';

let world: PushWorld;
beforeAll(async () => {
  world = await startPushWorld();
});
afterAll(() => world.close());
afterEach(() => expect(world.service.violations).toEqual([]));

const DAY = 24 * 60 * 60 * 1000;
const SUBSCRIPTION = '/api/notifications/subscription';
const notifications = async (user: TestUser) =>
  (await user.request('GET', '/api/notifications')).body;
const testPush = (user: TestUser, body?: object) =>
  user.request('POST', '/api/notifications/test', body ?? {});

async function createTwo() {
  const ada = await world.signIn('ada');
  const bob = await world.signIn('bob');
  const room = await beginChat(ada, bob);
  await bob.request('POST', `/api/chatrooms/chats/${room}/mark-as-read`, {});
  return { ada, bob, room };
}

/** Creates another session of a user. */
async function createSession(user: TestUser): Promise<TestUser> {
  const other = { ...user };
  await world.server.renewSession(other);
  return other;
}

describe('settings', () => {
  test('have defaults, change one by one and reach the other devices', async () => {
    const ada = await world.signIn('ada');
    const defaults = { version: 0, content: 'who', quietHours: null, pausedUntil: null };
    expect((await notifications(ada)).settings).toEqual(defaults);
    const events = recordEvents(world.server);
    const change = (body: object) => ada.request('PATCH', '/api/notifications', body);
    const quietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', isOnlySound: true };
    const pausedUntil = '2040-01-01T00:00:00.000Z';
    expect((await change({ quietHours })).body).toEqual({ ...defaults, version: 1, quietHours });
    expect((await change({ quietHours })).body.version).toBe(1);
    const settings = { version: 2, content: 'none', quietHours, pausedUntil };
    expect((await change({ content: 'none', pausedUntil })).body).toEqual(settings);
    expect((await notifications(ada)).settings).toEqual(settings);
    expect(events.filter(({ type }) => type === 'notification-settings')).toEqual([
      expect.objectContaining({ userId: ada.id }),
      { type: 'notification-settings', userId: ada.id, settings },
    ]);
    const off = { content: 'who', quietHours: null, pausedUntil: null };
    expect((await change(off)).body).toEqual({ ...defaults, version: 3 });
  });

  test.each([
    { content: 'everything' },
    { pausedUntil: 'tomorrow' },
    { pausedUntil: '+010000-01-01T00:00:00.000Z' },
    { quietHours: { from: '24:00', to: '07:00', timeZone: 'UTC', isOnlySound: true } },
    { quietHours: { from: '7:00', to: '07:00', timeZone: 'UTC', isOnlySound: true } },
    { quietHours: { from: '22:00', to: '07:00', timeZone: 'Mars/Olympus', isOnlySound: true } },
    {
      quietHours: { from: '22:00', to: '07:00', timeZone: `A${'a'.repeat(64)}`, isOnlySound: true },
    },
    { quietHours: { from: '22:00', to: '07:00', timeZone: 'UTC' } },
  ])('are refused if invalid: %j', async (body) => {
    const ada = await world.signIn('ada');
    expect(await ada.request('PATCH', '/api/notifications', body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
    expect((await notifications(ada)).settings.version).toBe(0);
  });
});

describe('a subscription', () => {
  test('is listed with its session and its service, and sent again without effect', async () => {
    const { bob } = await createTwo();
    const device = await world.subscribe(bob);
    const listed = await notifications(bob);
    expect(listed.publicKey).toMatch(/^[\w-]{87}$/);
    expect(listed.devices).toEqual([
      {
        sessionId: bob.sessionId,
        device: expect.any(String),
        isCurrent: true,
        service: '127.0.0.1',
        subscribedAt: expect.any(String),
      },
    ]);
    await bob.request('POST', SUBSCRIPTION, device.body);
    expect(await notifications(bob)).toEqual(listed);
  });

  test.each([
    'http://push.example.org/a',
    'https://push.example.org:8443/a',
    'https://127.0.0.1/a',
    'https://[::ffff:10.0.0.1]/a',
    'https://user:secret@push.example.org/a',
    'https://localhost/a',
    'nonsense',
  ])('at %s is refused', async (endpoint) => {
    const bob = await world.signIn('bob');
    expect(await bob.request('POST', SUBSCRIPTION, pushSubscription(endpoint))).toMatchObject({
      status: 400,
      body: { code: 'push_endpoint_refused' },
    });
    expect((await notifications(bob)).devices).toEqual([]);
  });

  test('with keys that no message can be encrypted for is refused', async () => {
    const bob = await world.signIn('bob');
    const { endpoint, keys } = pushSubscription();
    const p256dh = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 9)]).toString('base64url');
    for (const wrong of [{ ...keys, p256dh }, { ...keys, auth: 'short' }, { p256dh }]) {
      const body = { endpoint, keys: wrong };
      expect((await bob.request('POST', SUBSCRIPTION, body)).status).toBe(400);
    }
  });

  test(
    'moves to the session that sends it, and replaces an earlier one of the session',
    { tags: ['postgres'] },
    async () => {
      const { ada, bob, room } = await createTwo();
      const first = await world.subscribe(bob);
      const other = await world.signIn('other');
      await other.request('POST', SUBSCRIPTION, first.body);
      expect((await notifications(bob)).devices).toEqual([]);
      const second = await world.subscribe(bob);
      const third = await world.subscribe(bob);
      await send(ada, room, 'one');
      await world.settle();
      expect([first, second, third].map(({ attempts }) => attempts)).toEqual([0, 0, 1]);
    },
  );

  test('replaces the oldest one of a user who has many', async () => {
    const { bob } = await createTwo();
    const first = bob.sessionId;
    await world.subscribe(bob);
    for (let i = 0; i < LIMITS.pushDevicesMax; i += 1) {
      vi.setSystemTime(Date.now() + 1);
      await world.subscribe(await createSession(bob));
    }
    const { devices } = await notifications(bob);
    expect(devices).toHaveLength(LIMITS.pushDevicesMax);
    expect(devices.map(({ sessionId }: { sessionId: string }) => sessionId)).not.toContain(first);
  });

  test.each<[string, (user: TestUser, other: TestUser) => Promise<unknown>]>([
    ['its session is logged out', (user) => user.request('GET', '/api/users/logout')],
    [
      'its session is ended',
      (user, other) => other.request('DELETE', `/api/sessions/${user.sessionId}`),
    ],
    ['other sessions are ended', (_user, other) => other.request('DELETE', '/api/sessions')],
    ['its session expires', (user) => world.server.expireSessions(user)],
    ['its user is deleted', (user) => eraseAccount(world.server, user)],
    ['it is unsubscribed', (user) => user.request('DELETE', SUBSCRIPTION)],
  ])('ends when %s', async (_name, end) => {
    const { ada, bob, room } = await createTwo();
    const other = await createSession(bob);
    const device = await world.subscribe(bob);
    await end(bob, other);
    await send(ada, room, 'one').catch(() => undefined);
    await world.pass(60_000);
    expect(device.attempts).toBe(0);
    const rows = await world.server.ctx.storage.read((db) =>
      db.selectFrom('push_subscriptions').selectAll().where('user_id', '=', bob.id).execute(),
    );
    expect(rows).toEqual([]);
  });

  test.each([404, 410])('ends when the push service responds with %i', async (status) => {
    const { ada, bob, room } = await createTwo();
    const device = await world.subscribe(bob);
    device.respond = (response) => void response.writeHead(status).end();
    await send(ada, room, 'one');
    await world.settle();
    expect((await notifications(bob)).devices).toEqual([]);
    await send(ada, room, 'two');
    await world.pass(60_000);
    expect(device.attempts).toBe(1);
  });

  test(
    'ends when its browser has not sent it for 60 days, or all messages failed for 7',
    { tags: ['postgres'] },
    async () => {
      const { ada, bob, room } = await createTwo();
      const [unused, failing] = [await createSession(bob), await createSession(bob)];
      await world.subscribe(unused);
      const phone = await world.subscribe(failing);
      phone.respond = (response) => void response.writeHead(403).end();
      await world.subscribe(bob);
      await send(ada, room, 'one');
      await world.settle();
      const { storage } = world.server.ctx;
      const left = async () => {
        const { devices } = await notifications(bob);
        return devices.map(({ sessionId }: { sessionId: string }) => sessionId).toSorted();
      };
      /** Sets the times of Bob's subscriptions back, as if they had passed. */
      const age = (days: number) =>
        storage.write(({ trx }) =>
          trx
            .updateTable('push_subscriptions')
            .set((eb) => ({
              seen_at: eb('seen_at', '-', days * DAY),
              failing_since: eb('failing_since', '-', days * DAY),
            }))
            .where('user_id', '=', bob.id)
            .execute(),
        );
      await age(6);
      await deleteUnused(world.server.ctx);
      expect(await left()).toEqual([unused, failing, bob].map((u) => u.sessionId).toSorted());
      await age(2);
      await deleteUnused(world.server.ctx);
      expect(await left()).toEqual([unused, bob].map((user) => user.sessionId).toSorted());
      vi.setSystemTime(Date.now() + 3_600_000);
      const { body } = await bob.request('GET', '/api/notifications');
      const again = world.service.subscribe(body.publicKey);
      await bob.request('POST', SUBSCRIPTION, again.body);
      await age(53);
      await bob.request('POST', SUBSCRIPTION, again.body);
      await deleteUnused(world.server.ctx);
      expect(await left()).toEqual([bob.sessionId]);
    },
  );
});

describe('a push service', () => {
  test('that is overloaded gets the message when it says so', async () => {
    const { ada, bob, room } = await createTwo();
    const device = await world.subscribe(bob);
    device.respond = (response) => void response.writeHead(429, { 'retry-after': '600' }).end();
    await send(ada, room, 'one');
    await world.settle();
    device.respond = undefined;
    await send(ada, room, 'two');
    await world.pass(590_000);
    expect(device.attempts).toBe(1);
    await world.pass(10_000);
    expect(device.received.map(({ payload }) => payload.notification.body)).toEqual([
      '2 new messages',
    ]);
  });

  test('that fails gets a message six times, and not after it was read', async () => {
    const { ada, bob, room } = await createTwo();
    const device = await world.subscribe(bob);
    device.respond = (response) => void response.writeHead(500).end();
    await send(ada, room, 'one');
    await world.settle();
    for (let i = 0; i < 8; i += 1) await world.pass(70 * 60_000);
    expect(device.attempts).toBe(6);
    await send(ada, room, 'two');
    await world.settle();
    expect(device.attempts).toBe(7);
    await bob.request('POST', `/api/chatrooms/chats/${room}/mark-as-read`, {});
    await world.pass(70 * 60_000);
    expect(device.attempts).toBe(7);
  });

  test(
    'that does not respond delays neither messages nor other devices',
    { tags: ['postgres'] },
    async () => {
      const { ada, bob, room } = await createTwo();
      const slow = await world.subscribe(bob);
      const other = await createTwo();
      const device = await world.subscribe(other.bob);
      let isGivenUp = false;
      slow.respond = (response) => void response.on('close', () => (isGivenUp = true));
      for (let i = 0; i < 20; i += 1) await send(ada, room, `${i}`);
      await send(other.ada, other.room, 'one');
      await until(() => device.received.length === 1);
      expect(isGivenUp).toBe(false);
      expect(slow.attempts).toBe(1);
      await bob.request('DELETE', SUBSCRIPTION);
      await world.settle();
    },
  );
});

describe('a test', () => {
  test('arrives regardless of the settings, on the chosen device of the user', async () => {
    const { bob } = await createTwo();
    const phone = await world.subscribe(bob);
    const other = await createSession(bob);
    await world.configure(bob, { pausedUntil: '9999-12-31T23:59:59.999Z' });
    await bob.request('PATCH', '/api/users/language', { language: 'de' });
    expect((await testPush(other)).status).toBe(404);
    expect(await testPush(other, { sessionId: bob.sessionId })).toMatchObject({
      status: 200,
      body: { result: 'accepted' },
    });
    expect(phone.received[0]?.payload.notification).toMatchObject({
      title: 'Testbenachrichtigung',
      tag: 'test',
      navigate: `${world.server.url}/settings`,
      data: { type: 'test', unread: 0, read: [] },
    });
    const eve = await world.signIn('eve');
    expect((await testPush(eve, { sessionId: bob.sessionId })).status).toBe(404);
  });

  test.each([
    [403, 'refused', 1],
    [503, 'refused', 1],
    [410, 'ended', 0],
  ])(
    'that the push service answers with %i is %s',
    { tags: ['postgres'] },
    async (status, result, devices) => {
      const { bob } = await createTwo();
      const phone = await world.subscribe(bob);
      phone.respond = (response) => void response.writeHead(status).end();
      expect((await testPush(bob)).body).toEqual({ result });
      expect((await notifications(bob)).devices).toHaveLength(devices);
    },
  );

  test('that cannot be sent is unreachable', async () => {
    const { bob } = await createTwo();
    const phone = await world.subscribe(bob);
    phone.respond = (response) => void response.destroy();
    expect((await testPush(bob)).body).toEqual({ result: 'unreachable' });
  });
});

test('what was queued before a restart is sent once after it', async () => {
  const own = await startPushWorld();
  const ada = await own.signIn('ada');
  const bob = await own.signIn('bob');
  const room = await beginChat(ada, bob);
  await bob.request('POST', `/api/chatrooms/chats/${room}/mark-as-read`, {});
  const device = await own.subscribe(bob);
  device.respond = (response) => void response.writeHead(503).end();
  await send(ada, room, 'one');
  await own.settle();
  // Stored immediately before the end.
  await send(ada, room, 'two');
  device.respond = undefined;
  own.useServer(await own.server.restart());
  expect((await notifications(bob)).devices).toHaveLength(1);
  // Devices have some seconds to report what they have in view.
  await own.pass(60_000);
  await own.pass(60_000);
  expect(device.received.map(({ payload }) => payload.notification.body)).toEqual([
    '2 new messages',
  ]);
  await own.close();
  vi.useFakeTimers({ toFake: ['Date'] });
});

test.each([
  ['--keep-subscriptions', 1],
  ['--discard-subscriptions', 0],
  [undefined, 0],
])('a restore with %s keeps %i subscriptions', { tags: ['postgres'] }, async (option, count) => {
  const own = await startPushWorld();
  const bob = await own.signIn('bob');
  await own.subscribe(bob);
  const { publicKey } = await notifications(bob);
  const archive = `${own.server.dataDir}.tar`;
  expect((await runCommand(own.server.variables, 'backup', archive)).code).toBe(0);
  const restored = `${own.server.dataDir}-restored`;
  const args = ['restore', archive, '--json', ...(option === undefined ? [] : [option])];
  const result = await runCommand(await variablesOf(restored), ...args);
  expect(result).toMatchObject({ code: 0, json: { keptSubscriptions: count === 1 } });
  const copy = await startServer({}, restored);
  const again = { ...bob, ...copy.client(), cookie: bob.cookie };
  const after = await notifications(again);
  expect(after).toMatchObject({ publicKey });
  expect(after.devices).toHaveLength(count);
  await copy.close();
  await own.close();
  vi.useFakeTimers({ toFake: ['Date'] });
});

test('a restore does not accept both options', async () => {
  const options = ['--keep-subscriptions', '--discard-subscriptions'];
  expect(await runCommand({}, 'restore', 'backup.tar', ...options)).toMatchObject({ code: 2 });
});
