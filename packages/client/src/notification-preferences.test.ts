import type { Notifications, NotificationSettings } from '@parley/contract';
import { beforeEach, expect, test } from 'vitest';
import { ApiError, type ApiClient } from './api/client.ts';
import {
  createNotificationPreferences,
  type NotificationPreferences,
} from './notification-preferences.ts';
import {
  createNotificationSettingsStore,
  currentContent,
  currentQuietness,
} from './stores/notification-settings.ts';

const SETTINGS: NotificationSettings = {
  version: 3,
  content: 'who',
  quietHours: null,
  pausedUntil: null,
};
const NIGHT = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', isOnlySound: true };

interface Request {
  name: string;
  body: unknown;
  succeed: (response: unknown) => void;
  fail: (error: Error) => void;
}

let requests: Request[];
let store: ReturnType<typeof createNotificationSettingsStore>;
let preferences: NotificationPreferences;

beforeEach(() => {
  requests = [];
  store = createNotificationSettingsStore();
  const call = (name: string, { body }: { body?: unknown } = {}) =>
    new Promise((succeed, fail) => requests.push({ name, body, succeed, fail }));
  preferences = createNotificationPreferences({ call } as unknown as ApiClient, store);
});

const shown = () => store.getState().settings;
const settle = () => new Promise((resolve) => setTimeout(resolve));

async function load(response: unknown = { settings: SETTINGS, publicKey: 'key', devices: [] }) {
  const loading = preferences.load();
  requests.shift()?.succeed(response);
  return loading;
}

test('loads the settings and returns the devices and the key', async () => {
  const loaded: Notifications | undefined = await load();
  expect(loaded).toEqual({ settings: SETTINGS, publicKey: 'key', devices: [] });
  expect(shown()).toEqual(SETTINGS);
});

test('sends one request for settings that are loaded twice at the same time', async () => {
  const loadings = [preferences.load(), preferences.load()];
  expect(requests).toHaveLength(1);
  requests.shift()?.succeed({ settings: SETTINGS, publicKey: 'key', devices: [] });
  const [first, second] = await Promise.all(loadings);
  expect(first).toEqual(second);
  await load();
});

test('knows no settings of an older server', async () => {
  const loading = preferences.load();
  requests.shift()?.fail(new ApiError('not_found', 404, 'no'));
  expect(await loading).toBeUndefined();
  expect(shown()).toBeUndefined();
});

test('shows a change at once and sends changes one after the other', async () => {
  await load();
  const first = preferences.change({ content: 'none' });
  const second = preferences.change({ quietHours: NIGHT });
  expect(shown()).toMatchObject({ content: 'none', quietHours: NIGHT });
  await settle();
  expect(requests.map(({ body }) => body)).toEqual([{ content: 'none' }]);
  requests.shift()?.succeed({ ...SETTINGS, version: 4, content: 'none' });
  await first;
  expect(shown()).toMatchObject({ version: 4, content: 'none', quietHours: NIGHT });
  await settle();
  requests.shift()?.succeed({ ...SETTINGS, version: 5, content: 'none', quietHours: NIGHT });
  await second;
  expect(shown()).toMatchObject({ version: 5, content: 'none', quietHours: NIGHT });
});

test('restores the old settings if a change fails, and still sends the next one', async () => {
  await load();
  const first = preferences.change({ content: 'none' });
  const second = preferences.change({ pausedUntil: '2030-01-01T00:00:00.000Z' });
  await settle();
  requests.shift()?.fail(new ApiError('offline', 0, 'no'));
  await expect(first).rejects.toMatchObject({ code: 'offline' });
  expect(shown()).toMatchObject({ content: 'who', pausedUntil: '2030-01-01T00:00:00.000Z' });
  await settle();
  requests.shift()?.succeed({ ...SETTINGS, version: 4, pausedUntil: '2030-01-01T00:00:00.000Z' });
  await second;
  expect(shown()?.version).toBe(4);
});

test('ignores settings that are older than the known ones', async () => {
  await load();
  preferences.apply({ ...SETTINGS, version: 5, content: 'none' });
  preferences.apply({ ...SETTINGS, version: 4, content: 'whoAndWhat' });
  expect(shown()).toMatchObject({ version: 5, content: 'none' });
});

test('notifications say as little as possible until the user’s choice is known', () => {
  expect(currentContent(store.getState())).toBe('none');
  preferences.apply({ ...SETTINGS, content: 'whoAndWhat' });
  expect(currentContent(store.getState())).toBe('whoAndWhat');
});

test('it is quiet during a pause, and without sound in such quiet hours', () => {
  const quietness = (changed: Partial<NotificationSettings>) =>
    currentQuietness({ settings: { ...SETTINGS, ...changed } });
  const allDay = { ...NIGHT, from: '00:00', to: '00:00' };
  expect(currentQuietness({ settings: undefined })).toBe('off');
  expect(quietness({})).toBe('off');
  expect(quietness({ pausedUntil: new Date(Date.now() + 60_000).toISOString() })).toBe('all');
  expect(quietness({ pausedUntil: new Date(Date.now() - 60_000).toISOString() })).toBe('off');
  expect(quietness({ quietHours: allDay })).toBe('sound');
  expect(quietness({ quietHours: { ...allDay, isOnlySound: false } })).toBe('all');
});
