import { ApiError } from '@parley/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { SettingsState } from '../app/device-settings.ts';
import type { NotificationState, PushSupport } from '../host/host.ts';
import { createPushRegistration, type PushRegistration } from './push-registration.ts';

const SUBSCRIPTION = { endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } };

vi.mock(import('../logging/log-failure.ts'), () => ({ logFailure: () => undefined }));

let calls: string[];
let permission: NotificationState;
let support: PushSupport;
let loaded: unknown;
let subscribe: () => Promise<typeof SUBSCRIPTION>;
let failure: Error | undefined;
let settings: Pick<SettingsState, 'areNotificationsOff' | 'setNotificationsOff'>;
let connection: ReturnType<typeof createConnection>;

const createConnection = () => createStore<{ status: string }>()(() => ({ status: 'connecting' }));

beforeEach(() => {
  calls = [];
  permission = 'granted';
  support = 'supported';
  loaded = { publicKey: 'key' };
  subscribe = async () => SUBSCRIPTION;
  failure = undefined;
  connection = createConnection();
  settings = {
    areNotificationsOff: false,
    setNotificationsOff: (areNotificationsOff) => {
      settings.areNotificationsOff = areNotificationsOff;
    },
  };
});

function create(): PushRegistration {
  return createPushRegistration({
    host: {
      push: {
        support,
        subscribe: async (key) => {
          calls.push(`subscribe ${key}`);
          return subscribe();
        },
        unsubscribe: async () => void calls.push('unsubscribe'),
      },
      notificationState: () => permission,
      requestNotifications: async () => {
        calls.push('ask');
        return permission;
      },
      withdrawAllNotifications: () => void calls.push('withdraw'),
    },
    client: {
      api: {
        call: async (name: string) => {
          calls.push(name);
          if (failure) throw failure;
        },
      },
      connection,
      notificationPreferences: { load: async () => loaded },
    } as never,
    settings: { getState: () => settings } as never,
  });
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

async function connect(): Promise<void> {
  connection.setState({ status: 'reconnecting' });
  connection.setState({ status: 'online' });
  await settle();
}

test('subscribes at each start once there is a connection, without asking', async () => {
  const push = create();
  await settle();
  expect(calls).toEqual([]);
  await connect();
  expect(calls).toEqual(['subscribe key', 'subscribePush']);
  expect(push.status.getState().status).toBe('on');
  await connect();
  expect(calls).toHaveLength(2);
});

test.each<[string, () => void]>([
  ['is not allowed', () => (permission = 'not-asked')],
  ['is denied', () => (permission = 'denied')],
  ['is turned off by the user', () => settings.setNotificationsOff(true)],
  ['is not supported', () => (support = 'unsupported')],
  ['does not exist on an older server', () => (loaded = undefined)],
])('subscribes to nothing if it %s', async (_case, arrange) => {
  arrange();
  const push = create();
  await connect();
  expect(calls).toEqual([]);
  expect(push.status.getState().status).toBe('off');
});

test('asks for permission only when the user turns it on', async () => {
  permission = 'not-asked';
  settings.setNotificationsOff(true);
  const push = create();
  await connect();
  const enabling = push.enable();
  permission = 'granted';
  await enabling;
  expect(calls).toEqual(['ask', 'subscribe key', 'subscribePush']);
  expect(settings.areNotificationsOff).toBe(false);
});

test('shows why push messages do not work, and tries again after the next connect', async () => {
  const push = create();
  subscribe = async () => {
    throw new Error('no push service');
  };
  await connect();
  expect(push.status.getState().status).toBe('failed');
  subscribe = async () => SUBSCRIPTION;
  failure = new ApiError('push_endpoint_refused', 400, 'no');
  await connect();
  expect(push.status.getState().status).toBe('refused');
  failure = undefined;
  for (const [message, name] of [
    ['in a private window', 'NotAllowedError'],
    ['Registration failed - permission denied', 'AbortError'],
  ]) {
    subscribe = async () => {
      throw new DOMException(message, name);
    };
    await push.renew();
    expect(push.status.getState().status).toBe('denied');
  }
  subscribe = async () => {
    throw new DOMException('Registration failed - push service error', 'AbortError');
  };
  await push.renew();
  expect(push.status.getState().status).toBe('failed');
  subscribe = async () => SUBSCRIPTION;
  await push.renew();
  expect(push.status.getState().status).toBe('on');
});

test('replaces a subscription that has ended', async () => {
  const push = create();
  await connect();
  calls = [];
  await push.renew({ isEnded: true });
  expect(calls).toEqual(['unsubscribe', 'subscribe key', 'subscribePush']);
});

test('turning it off ends the subscription and remembers it, even if the server cannot be reached', async () => {
  const push = create();
  await connect();
  calls = [];
  failure = new ApiError('offline', 0, 'no');
  await push.disable();
  expect(calls).toEqual(['withdraw', 'unsubscribe', 'unsubscribePush']);
  expect(settings.areNotificationsOff).toBe(true);
  await connect();
  expect(push.status.getState().status).toBe('off');
});

test.each([
  ['logout', ['withdraw', 'unsubscribe']],
  ['revoked', ['withdraw', 'unsubscribe']],
  ['expired', ['withdraw']],
  [undefined, []],
] as const)('removes what the end of the session (%s) leaves behind', async (ended, expected) => {
  const push = create();
  await connect();
  calls = [];
  push.stop(ended);
  await connect();
  expect(calls).toEqual(expected);
});

test('sends no subscription for a session that has ended while the browser subscribed', async () => {
  let finish: () => void = () => undefined;
  subscribe = () =>
    new Promise((resolve) => {
      finish = () => resolve(SUBSCRIPTION);
    });
  const push = create();
  await connect();
  push.stop('logout');
  finish();
  await settle();
  expect(calls).not.toContain('subscribePush');
});
