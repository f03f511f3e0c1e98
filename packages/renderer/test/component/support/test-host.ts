import type { ChatNotification, Host, NotificationState } from '../../../src/host/host.ts';

/** A host for tests, which records what the app asks of it. */
export interface TestHost extends Host {
  /** The number on the app's icon. */
  readonly badge: number;
  /** The notifications that were shown, oldest first. */
  readonly notifications: readonly ChatNotification[];
  /** The chatrooms whose notifications were removed. */
  readonly withdrawn: readonly string[];
}

/** Creates a host like that of a browser. The members of `overrides` replace its own. */
export function createTestHost(overrides: Partial<Host> = {}): TestHost {
  const notifications: ChatNotification[] = [];
  const withdrawn: string[] = [];
  let badge = 0;
  let state: NotificationState = 'not-asked';
  const host: Host = {
    serverOrigin: location.origin,
    setBadge: (count) => {
      badge = count;
    },
    notificationState: () => state,
    requestNotifications: async () => {
      state = 'granted';
      return state;
    },
    notify: async (notification) => {
      notifications.push(notification);
      return false;
    },
    withdrawNotification: (chatroom) => void withdrawn.push(chatroom),
    microphoneState: async () => 'available',
    ...overrides,
  };
  return Object.defineProperties(host, {
    badge: { get: () => badge },
    notifications: { value: notifications },
    withdrawn: { value: withdrawn },
  }) as TestHost;
}
