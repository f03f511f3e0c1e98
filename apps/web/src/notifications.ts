import type { Host, NotificationState } from '@parley/renderer/host';

type Notifications = Pick<
  Host,
  'notificationState' | 'requestNotifications' | 'notify' | 'withdrawNotification'
>;

/** Shows messages as browser notifications, one per chatroom. */
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
    notify: async ({ chatroom, title, body, sound, onOpen }) => {
      if (api?.permission !== 'granted') return false;
      // The page plays the specified sound. The browser's sound replaces it until the page may play sounds.
      const silent = sound !== 'required';
      const notification = open(api, title, { body, tag: chatroom, icon: '/icon-192.png', silent });
      if (!notification) return false;
      shown.set(chatroom, notification);
      notification.addEventListener('click', () => {
        window.focus();
        notification.close();
        onOpen();
      });
      notification.addEventListener('close', () => {
        if (shown.get(chatroom) === notification) shown.delete(chatroom);
      });
      return !silent;
    },
    withdrawNotification: (chatroom) => {
      shown.get(chatroom)?.close();
      shown.delete(chatroom);
    },
  };
}

// Chrome on Android has the constructor, but it throws, as pages may not show notifications there.
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
