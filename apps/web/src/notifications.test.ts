import { expect, test } from 'vitest';
import { createNotifications } from './notifications.ts';

test.each([
  ['denied', 'denied'],
  ['granted', 'granted'],
  ['default', 'not-asked'],
])('reports the permission %s as %s', (permission, state) => {
  const api = { permission } as typeof Notification;
  const { notificationState } = createNotifications(api, async () => undefined);
  expect(notificationState()).toBe(state);
});

test('reports that notifications are unsupported without their API', () => {
  const { notificationState } = createNotifications(undefined, async () => undefined);
  expect(notificationState()).toBe('unsupported');
});
