import { PUSH_TAGS } from '@parley/contract';
import type { ChatNotification, Host, NotificationState } from '@parley/renderer/host';
import { listNotifications, showNotification } from './shown-notifications.ts';

type Notifications = Pick<
  Host,
  | 'notificationState'
  | 'requestNotifications'
  | 'notify'
  | 'withdrawNotification'
  | 'withdrawReadNotifications'
  | 'withdrawAllNotifications'
>;

/** Finds the service worker's registration, if the browser has an active worker. */
type FindRegistration = () => Promise<ServiceWorkerRegistration | undefined>;

/** Options that the type definitions of pages lack. Browsers ignore those that they do not know. */
interface WorkerNotificationOptions extends NotificationOptions {
  renotify?: boolean;
  actions?: readonly { action: string; title: string; type?: 'text'; placeholder?: string }[];
}

/** The data of notifications of pages and of the service worker. */
interface NotificationData {
  chatroom?: string;
  user?: string;
  seq?: number;
  type?: string;
  reply?: string;
}

/**
 * Shows messages as browser notifications, one per chatroom for messages and one for reactions. If there is
 * a service worker, they are its notifications, so that those of push messages replace them, and it handles
 * taps on them.
 */
export function createNotifications(
  api: typeof Notification | undefined,
  findRegistration: FindRegistration,
): Notifications {
  const shown = new Map<string, Notification>();

  const notificationState = (): NotificationState => {
    if (!api) return 'unsupported';
    return api.permission === 'default' ? 'not-asked' : api.permission;
  };

  function showAsPage(
    notification: ChatNotification,
    { data: _data, ...options }: WorkerNotificationOptions,
  ): boolean {
    const { title, onOpen } = notification;
    const tag = options.tag ?? '';
    const opened = api && open(api, title, options);
    if (!opened) return false;
    shown.set(tag, opened);
    opened.addEventListener('click', () => {
      window.focus();
      opened.close();
      onOpen();
    });
    opened.addEventListener('close', () => {
      if (shown.get(tag) === opened) shown.delete(tag);
    });
    return true;
  }

  async function closeAll(isClosed: (notification: Notification) => boolean): Promise<void> {
    for (const [tag, notification] of shown) {
      if (!isClosed(notification)) continue;
      notification.close();
      shown.delete(tag);
    }
    const registration = await findRegistration();
    for (const notification of await listNotifications(registration)) {
      if (isClosed(notification)) notification.close();
    }
  }

  return {
    notificationState,
    requestNotifications: async () => {
      await api?.requestPermission();
      return notificationState();
    },
    notify: async (notification) => {
      if (api?.permission !== 'granted') return false;
      // The page plays the specified sound. The browser's sound replaces it until the page may play sounds.
      const silent = notification.sound !== 'required';
      const registration = await findRegistration();
      const options = createOptions(notification, silent);
      if (!registration) return showAsPage(notification, options) && !silent;
      try {
        await showNotification(registration, notification.title, options);
        return !silent;
      } catch {
        return false;
      }
    },
    withdrawNotification: (chatroom) => {
      const tags = new Set([PUSH_TAGS.message(chatroom), PUSH_TAGS.reaction(chatroom)]);
      closeAll(({ tag }) => tags.has(tag)).catch(() => undefined);
    },
    withdrawReadNotifications: (isRead) => {
      closeAll(({ data }) => {
        const { chatroom, seq, type, reply }: NotificationData = data ?? {};
        const isMessage = type !== 'reaction' && reply === undefined;
        return isMessage && chatroom !== undefined && seq !== undefined && isRead(chatroom, seq);
      }).catch(() => undefined);
    },
    withdrawAllNotifications: ({ keepsReplies = false } = {}) => {
      const hasReply = ({ data }: Notification): boolean => {
        const { reply }: NotificationData = data ?? {};
        return reply !== undefined;
      };
      closeAll((notification) => !(keepsReplies && hasReply(notification))).catch(() => undefined);
    },
  };
}

function createOptions(
  { chatroom, user, body, seq, isReaction, buttons, path }: ChatNotification,
  silent: boolean,
): WorkerNotificationOptions {
  const { reply, read } = buttons ?? {};
  const actions = [
    ...(reply === undefined
      ? []
      : [{ action: 'reply', title: reply, type: 'text', placeholder: reply } as const]),
    ...(read === undefined ? [] : [{ action: 'read', title: read }]),
  ];
  return {
    body,
    tag: isReaction ? PUSH_TAGS.reaction(chatroom) : PUSH_TAGS.message(chatroom),
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    silent,
    renotify: !silent,
    ...(actions.length > 0 && { actions }),
    data: {
      chatroom,
      ...(user !== undefined && { user }),
      navigate: path,
      shownAt: Date.now(),
      ...(seq !== undefined && { seq }),
      ...(isReaction && { type: 'reaction' }),
    },
  };
}

// Chrome on Android has the constructor, but it throws, as pages may not show notifications there. Pages may
// not show buttons anywhere.
function open(
  api: typeof Notification,
  title: string,
  { actions: _actions, ...options }: WorkerNotificationOptions,
): Notification | undefined {
  try {
    return new api(title, options);
  } catch {
    return undefined;
  }
}
