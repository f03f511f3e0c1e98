import { expect, test, vi } from 'vitest';
import { handleEarlierNotifications } from '../src/main/notifications/earlier-notifications.electron.ts';
import { getNotificationId } from '../src/main/notifications/notification-id.ts';
import { activateNotification, recorded } from './support/fake-electron.ts';

vi.mock('electron', () => import('./support/fake-electron.ts'));

test('sends a reply to a notification of an earlier run on Windows', async () => {
  recorded.isActivatorRegistered = false;
  const room = { server: 'https://chat.example', chatroomId: 'room-1' };
  const reply = vi.fn<(to: typeof room, text: string) => void>();
  const openChatroom = vi.fn<() => void>();
  await handleEarlierNotifications({
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
    openChatroom,
    reply,
    showActive: () => undefined,
  });
  const tag = getNotificationId(room);
  activateNotification({ type: 'reply', arguments: `type=reply&tag=${tag}`, reply: 'On my way' });
  expect(reply).toHaveBeenCalledExactlyOnceWith(room, 'On my way');
  activateNotification({ type: 'click', arguments: `type=click&tag=${tag}` });
  expect(openChatroom).toHaveBeenCalledExactlyOnceWith(room);
});
