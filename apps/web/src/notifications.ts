import type { Host, NotificationState } from '@parley/renderer/host';

type Notifications = Pick<
  Host,
  'notificationState' | 'requestNotifications' | 'notify' | 'withdrawNotification'
>;

/** Shows messages by the browser's notifications, one for each room. */
export function createNotifications(api: typeof Notification | undefined): Notifications {
  const shown = new Map<string, Notification>();

  const notificationState = (): NotificationState => {
    if (!api) return 'unsupported';
    return api.permission === 'default' ? 'not-asked' : api.permission;
  };

  return {
    notificationState,
    requestNotifications: async () => {
      await api?.requestPermission();
      return notificationState();
    },
    notify: ({ chatroom, title, body, onOpen }) => {
      if (api?.permission !== 'granted') return;
      const notification = open(api, title, { body, tag: chatroom, icon: '/icon-192.png' });
      if (!notification) return;
      shown.set(chatroom, notification);
      notification.addEventListener('click', () => {
        window.focus();
        notification.close();
        onOpen();
      });
      notification.addEventListener('close', () => {
        if (shown.get(chatroom) === notification) shown.delete(chatroom);
      });
    },
    withdrawNotification: (chatroom) => {
      shown.get(chatroom)?.close();
      shown.delete(chatroom);
    },
  };
}

// Chrome on Android has the constructor and throws from it: pages may not notify there.
function open(
  api: typeof Notification,
  title: string,
  options: NotificationOptions,
): Notification | undefined {
  try {
    return new api(title, options);
  } catch {
    return undefined;
  }
}
