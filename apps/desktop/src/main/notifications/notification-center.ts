import { trimText, type DesktopNotification, type NotificationOutcome } from '@parley/contract';
import type { NotificationCloseEventParams, NotificationConstructorOptions } from 'electron';
import { getGroupId, getNotificationId, findChatroomOfNotification } from './notification-id.ts';

/** The parts of Electron's `Notification` that are used here. */
export interface ShownNotification {
  show: () => void;
  close: () => void;
  once(event: 'click', listener: () => void): unknown;
  on(event: 'close', listener: (details: NotificationCloseEventParams) => void): unknown;
  once(event: 'show', listener: () => void): unknown;
  once(event: 'failed', listener: () => void): unknown;
  once(event: 'reply', listener: (details: { reply: string }) => void): unknown;
}

/** The dependencies of the notification center: the system and the user's settings. */
export interface NotificationCenterDeps {
  create: (options: NotificationConstructorOptions) => ShownNotification;
  isSupported: () => boolean;
  /** Removes a notification of an earlier run, which `close` does not reach. macOS only. */
  remove: (id: string) => void;
  platform: NodeJS.Platform;
  /** Returns the user's current settings. */
  preferences: () => { isOn: boolean; showsContent: boolean };
  texts: () => NotificationTexts;
}

/** The texts of a notification that do not come from the sender. */
export interface NotificationTexts {
  /** Title that replaces the sender's name. */
  hiddenTitle: string;
  hiddenBody: string;
  replyPlaceholder: string;
  testTitle: string;
  testBody: string;
}

/** Handlers for the user's actions on a notification. */
export interface NotificationActions {
  onOpen: (chatroomId: string) => void;
  onReply: (chatroomId: string, text: string) => void;
}

/** The server that a notification comes from, and its handlers. */
export interface NotificationSource extends NotificationActions {
  /** Origin of the server. Notifications of two servers never replace each other. */
  server: string;
  /** Returns whether the user can see the window of this server and it has the focus. */
  isInForeground: () => boolean;
}

/** A notification that the system still shows from an earlier run of the app. */
export interface RestoredNotification extends ShownNotification {
  readonly id: string;
}

/** Shows at most one notification per chatroom and withdraws it. */
export interface NotificationCenter {
  show: (
    notification: DesktopNotification,
    source: NotificationSource,
  ) => Promise<NotificationOutcome>;
  /** Shows a test notification, even if notifications are switched off. */
  test: () => Promise<NotificationOutcome>;
  /** Returns whether this run shows a notification with this id, which then emits its own events. */
  isShown: (id: string) => boolean;
  /**
   * Takes over the notifications of an earlier run. Removes those of unknown servers.
   * @param actionsOf returns the handlers for a known server
   */
  restore: (
    notifications: readonly RestoredNotification[],
    servers: readonly string[],
    actionsOf: (server: string) => NotificationActions,
  ) => void;
  withdraw: (server: string, chatroomId: string) => void;
  withdrawAll: (server: string) => void;
}

/** Milliseconds after which a notification counts as shown unless the system has refused it. */
const REFUSAL_MS = 1_000;
/** Characters. macOS cuts a body at 256 bytes, other systems much later. */
const BODY_MAX = 240;
const HAS_REPLY: ReadonlySet<NodeJS.Platform> = new Set(['darwin', 'win32']);

/** Creates the notification center. It reads the user's settings for each notification. */
export function createNotificationCenter(deps: NotificationCenterDeps): NotificationCenter {
  const shown = createShownNotifications();

  async function present(
    id: string,
    server: string,
    options: NotificationConstructorOptions,
    onCreated: (notification: ShownNotification) => void,
  ): Promise<NotificationOutcome> {
    if (!deps.isSupported()) return 'unsupported';
    // Linux does not replace notifications by `id`, so the old one is closed first.
    shown.discard(id);
    const notification = deps.create({ id, ...options });
    const settle = shown.track(id, server, notification, () => notification.close());
    const outcome = new Promise<NotificationOutcome>((resolve) => {
      notification.once('failed', () => {
        settle();
        resolve('refused');
      });
      notification.once('show', () => resolve('shown'));
      setTimeout(resolve, REFUSAL_MS, 'shown').unref();
    });
    onCreated(notification);
    notification.show();
    return outcome;
  }

  return {
    show: async ({ chatroom: chatroomId, title, body, silent, canReply = true }, source) => {
      const { isOn, showsContent } = deps.preferences();
      if (!isOn || source.isInForeground()) return 'off';
      const texts = deps.texts();
      const id = getNotificationId({ server: source.server, chatroomId });
      const options: NotificationConstructorOptions = {
        title: showsContent ? title : texts.hiddenTitle,
        body: showsContent ? escapeMarkup(shorten(body), deps.platform) : texts.hiddenBody,
        groupId: getGroupId(source.server),
        silent,
        ...(canReply &&
          HAS_REPLY.has(deps.platform) && {
            hasReply: true,
            replyPlaceholder: texts.replyPlaceholder,
          }),
      };
      return present(id, source.server, options, (notification) => {
        shown.listen(id, chatroomId, notification, source);
      });
    },
    test: async () => {
      const { testTitle, testBody } = deps.texts();
      return present('test', '', { title: testTitle, body: testBody }, () => undefined);
    },
    isShown: (id) => shown.has(id),
    restore: (notifications, servers, actionsOf) => {
      for (const notification of notifications) {
        const { id } = notification;
        if (shown.has(id)) continue;
        const room = findChatroomOfNotification(id, servers);
        if (room === undefined) {
          deps.remove(id);
          continue;
        }
        shown.track(id, room.server, notification, () => deps.remove(id));
        shown.listen(id, room.chatroomId, notification, actionsOf(room.server));
      }
    },
    withdraw: (server, chatroomId) => shown.discard(getNotificationId({ server, chatroomId })),
    withdrawAll: shown.discardAll,
  };
}

/** A notification that the system shows. */
interface Shown {
  /** Origin of the server that it came from. */
  server: string;
  /** A reference, as a garbage-collected notification emits no click. */
  notification: ShownNotification;
  close: () => void;
}

/** The notifications that the system shows, by their ids. */
interface ShownNotifications {
  has: (id: string) => boolean;
  /**
   * Tracks a notification until the system no longer shows it.
   * @returns a function that ends the tracking
   */
  track: (
    id: string,
    server: string,
    notification: ShownNotification,
    close: () => void,
  ) => () => void;
  /** Handles the user's actions on a notification. Each of them closes it. */
  listen: (
    id: string,
    chatroomId: string,
    notification: ShownNotification,
    actions: NotificationActions,
  ) => void;
  /** Closes a notification. */
  discard: (id: string) => void;
  /** Closes all notifications of a server. */
  discardAll: (server: string) => void;
}

function createShownNotifications(): ShownNotifications {
  const shown = new Map<string, Shown>();

  function discard(id: string): void {
    const old = shown.get(id);
    shown.delete(id);
    old?.close();
  }

  return {
    has: (id) => shown.has(id),
    track: (id, server, notification, close) => {
      const entry: Shown = { server, notification, close };
      shown.set(id, entry);
      const settle = (): void => {
        if (shown.get(id) === entry) shown.delete(id);
      };
      notification.on('close', (details) => {
        // On Windows it has only moved to the Action Center, where it can still be clicked and removed.
        if (details.reason !== 'timedOut') settle();
      });
      return settle;
    },
    listen: (id, chatroomId, notification, { onOpen, onReply }) => {
      notification.once('click', () => {
        discard(id);
        onOpen(chatroomId);
      });
      notification.once('reply', ({ reply }) => {
        const text = trimText(reply);
        discard(id);
        if (text !== '') onReply(chatroomId, text);
      });
    },
    discard,
    discardAll: (server) => {
      for (const [id, entry] of shown) if (entry.server === server) discard(id);
    },
  };
}

function shorten(body: string): string {
  const points = Array.from(body);
  return points.length > BODY_MAX ? `${points.slice(0, BODY_MAX - 1).join('')}…` : body;
}

/**
 * Escapes a text so that the system shows it literally. On Linux the body of a notification is markup, so an
 * unescaped message could contain links and images or stay blank.
 */
function escapeMarkup(text: string, platform: NodeJS.Platform): string {
  if (platform !== 'linux') return text;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
