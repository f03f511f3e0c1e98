import { afterEach, expect, test, vi } from 'vitest';
import { listNotifications, showNotification } from './shown-notifications.ts';

afterEach(() => vi.useRealTimers());

/** Creates a registration that shows notifications once `finish` is called. Records the calls in their order. */
function createRegistration() {
  const calls: string[] = [];
  const shown = Promise.withResolvers<void>();
  const registration = {
    showNotification: async () => {
      calls.push('show');
      await shown.promise;
      calls.push('shown');
    },
    getNotifications: async () => {
      calls.push('list');
      return [];
    },
  } as unknown as ServiceWorkerRegistration;
  return { registration, calls, finish: shown.resolve, fail: shown.reject };
}

test('lists notifications only once the one before is shown', async () => {
  const { registration, calls, finish } = createRegistration();
  const showing = showNotification(registration, 'Alice', {});
  const listing = listNotifications(registration);
  await vi.waitFor(() => expect(calls).toEqual(['show']));
  finish();
  await Promise.all([showing, listing]);
  expect(calls).toEqual(['show', 'shown', 'list']);
});

test('passes on that a notification cannot be shown, and lists the others', async () => {
  const { registration, calls, fail } = createRegistration();
  const showing = showNotification(registration, 'Alice', {});
  const listing = listNotifications(registration);
  fail(new TypeError('No notification permission has been granted'));
  await expect(showing).rejects.toThrow('No notification permission');
  await listing;
  expect(calls).toEqual(['show', 'list']);
});

test('does not wait any longer for a page that is suspended', async () => {
  vi.useFakeTimers();
  const { registration, calls, finish } = createRegistration();
  const showing = showNotification(registration, 'Alice', {});
  const listing = listNotifications(registration);
  await vi.advanceTimersByTimeAsync(3_000);
  await listing;
  expect(calls).toEqual(['show', 'list']);
  finish();
  await showing;
});
