import { expect, test, vi } from 'vitest';
import { handleEarlierNotifications } from '../src/main/notifications/earlier-notifications.electron.ts';
import { getNotificationId } from '../src/main/notifications/notification-id.ts';
import { activateNotification, Notification, recorded } from './support/fake-electron.ts';

vi.mock('electron', () => import('./support/fake-electron.ts'));

const room = { server: 'https://chat.example', chatroomId: 'room-1' };

type Deps = Parameters<typeof handleEarlierNotifications>[0];

function createDeps(changed: Partial<Deps>): Deps {
  return {
    platform: 'win32',
    servers: () => [room.server],
    notifications: {
      show: async () => 'off',
      test: async () => 'off',
      isShown: () => false,
      restore: () => undefined,
      withdraw: () => undefined,
      withdrawAll: () => undefined,
    },
    launch: undefined,
    openChatroom: () => undefined,
    reply: () => undefined,
    showActive: () => undefined,
    ...changed,
  };
}

test('sends a reply to a notification of an earlier run on Windows', async () => {
  recorded.isActivatorRegistered = false;
  const reply = vi.fn<Deps['reply']>();
  const openChatroom = vi.fn<Deps['openChatroom']>();
  await handleEarlierNotifications(createDeps({ openChatroom, reply }));
  const tag = getNotificationId(room);
  activateNotification({ type: 'reply', arguments: `type=reply&tag=${tag}`, reply: 'On my way' });
  expect(reply).toHaveBeenCalledExactlyOnceWith(room, 'On my way');
  activateNotification({ type: 'click', arguments: `type=click&tag=${tag}` });
  expect(openChatroom).toHaveBeenCalledExactlyOnceWith(room);
});

test('does not use notifications on macOS before a server is known', async () => {
  const getHistory = vi.spyOn(Notification, 'getHistory');
  await handleEarlierNotifications(createDeps({ platform: 'darwin', servers: () => [] }));
  expect(getHistory).not.toHaveBeenCalled();
  await handleEarlierNotifications(createDeps({ platform: 'darwin' }));
  expect(getHistory).toHaveBeenCalledOnce();
});
