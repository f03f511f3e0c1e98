import type { DesktopNotification, NotificationOutcome } from '@parley/contract';
import type { NotificationCloseEventParams, NotificationConstructorOptions } from 'electron';
import { groupIdOf, notificationIdOf, roomOfNotification } from './notification-id.ts';

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

/** What notifications depend on: the system, and what the person wants. */
export interface NotificationCenterDeps {
  create: (options: NotificationConstructorOptions) => ShownNotification;
  isSupported: () => boolean;
  /** Removes what an earlier run of the app has shown; `close` does not reach it. Only macOS has this. */
  remove: (id: string) => void;
  platform: NodeJS.Platform;
  /** What the person wants right now. */
  wishes: () => { isOn: boolean; showsContent: boolean };
  texts: () => NotificationTexts;
}

/** The words of a notification that are not the sender's. */
export interface NotificationTexts {
  /** Title in place of the sender's name. */
  hiddenTitle: string;
  hiddenBody: string;
  replyPlaceholder: string;
  testTitle: string;
  testBody: string;
}

/** What a user does with a notification. */
export interface NotificationActions {
  onOpen: (chatroom: string) => void;
  onReply: (chatroom: string, text: string) => void;
}

/** Where a notification comes from, and what happens to it. */
export interface NotificationSource extends NotificationActions {
  /** Origin of the server: rooms of two servers never replace each other. */
  server: string;
  /** The person looks at the window of this server. */
  isWatched: () => boolean;
}

/** A notification that the system still shows from an earlier run of the app. */
export interface RestoredNotification extends ShownNotification {
  readonly id: string;
}

/** Shows one notification a room and takes it away again. */
export interface NotificationCenter {
  show: (
    notification: DesktopNotification,
    source: NotificationSource,
  ) => Promise<NotificationOutcome>;
  /** Shows one whatever the wishes are. */
  test: () => Promise<NotificationOutcome>;
  /** Whether a notification of this id is shown that has events of its own. */
  isShown: (id: string) => boolean;
  /**
   * Takes over notifications of an earlier run, and removes those that lead nowhere any more.
   * @param actionsOf what leads to a room of a known server
   */
  restore: (
    notifications: readonly RestoredNotification[],
    servers: readonly string[],
    actionsOf: (server: string) => NotificationActions,
  ) => void;
  withdraw: (server: string, chatroom: string) => void;
  withdrawAll: (server: string) => void;
}

/** How long the system may take to say that it refuses. Silence is consent. Milliseconds. */
const REFUSAL_MS = 1_000;
/** macOS cuts a body at 256 bytes; everybody else well after that. */
const BODY_MAX = 240;
const HAS_REPLY: ReadonlySet<NodeJS.Platform> = new Set(['darwin', 'win32']);

/** Shows nothing yet, and nothing that the person does not wish for when it comes. */
export function createNotificationCenter(deps: NotificationCenterDeps): NotificationCenter {
  const shown = new Map<string, Shown>();

  function drop(id: string): void {
    const old = shown.get(id);
    shown.delete(id);
    old?.close();
  }

  /** Keeps a notification until it is gone from the system. */
  function keep(id: string, server: string, notification: ShownNotification, close: () => void) {
    const entry: Shown = { server, notification, close };
    shown.set(id, entry);
    const settle = (): void => {
      if (shown.get(id) === entry) shown.delete(id);
    };
    notification.on('close', (details) => {
      // On Windows it only moves to the notification center then, where it can be clicked and removed.
      if (details.reason !== 'timedOut') settle();
    });
    return settle;
  }

  function listen(
    id: string,
    chatroom: string,
    notification: ShownNotification,
    { onOpen, onReply }: NotificationActions,
  ): void {
    notification.once('click', () => {
      drop(id);
      onOpen(chatroom);
    });
    notification.once('reply', ({ reply }) => {
      const text = reply.trim();
      drop(id);
      if (text !== '') onReply(chatroom, text);
    });
  }

  async function present(
    id: string,
    server: string,
    options: NotificationConstructorOptions,
    onCreated: (notification: ShownNotification) => void,
  ): Promise<NotificationOutcome> {
    if (!deps.isSupported()) return 'unsupported';
    // Linux knows no `id` to replace by; closing first does it everywhere.
    drop(id);
    const notification = deps.create({ id, ...options });
    const settle = keep(id, server, notification, () => notification.close());
    const refused = new Promise<NotificationOutcome>((resolve) => {
      notification.once('failed', () => {
        settle();
        resolve('refused');
      });
      notification.once('show', () => resolve('shown'));
      setTimeout(resolve, REFUSAL_MS, 'shown').unref();
    });
    onCreated(notification);
    notification.show();
    return refused;
  }

  return {
    show: async ({ chatroom, title, body, silent }, source) => {
      const { isOn, showsContent } = deps.wishes();
      if (!isOn || source.isWatched()) return 'off';
      const texts = deps.texts();
      const id = notificationIdOf({ server: source.server, chatroom });
      const options: NotificationConstructorOptions = {
        title: showsContent ? title : texts.hiddenTitle,
        body: showsContent ? asWritten(shorten(body), deps.platform) : texts.hiddenBody,
        groupId: groupIdOf(source.server),
        silent,
        ...(HAS_REPLY.has(deps.platform) && {
          hasReply: true,
          replyPlaceholder: texts.replyPlaceholder,
        }),
      };
      return present(id, source.server, options, (notification) => {
        listen(id, chatroom, notification, source);
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
        const room = roomOfNotification(id, servers);
        if (room === undefined) {
          deps.remove(id);
          continue;
        }
        keep(id, room.server, notification, () => deps.remove(id));
        listen(id, room.chatroom, notification, actionsOf(room.server));
      }
    },
    withdraw: (server, chatroom) => drop(notificationIdOf({ server, chatroom })),
    withdrawAll: (server) => {
      for (const [id, entry] of shown) if (entry.server === server) drop(id);
    },
  };
}

/** A notification that the system has, and how to take it away. */
interface Shown {
  /** Origin of the server that it came from. */
  server: string;
  /** Kept only to be referred to: what is collected as garbage loses its click. */
  notification: ShownNotification;
  close: () => void;
}

function shorten(body: string): string {
  const points = Array.from(body);
  return points.length > BODY_MAX ? `${points.slice(0, BODY_MAX - 1).join('')}…` : body;
}

/**
 * A text that the system shows as it is. On Linux the body of a notification is markup: unescaped, a
 * message could bring links and pictures with it, or come out blank.
 */
function asWritten(text: string, platform: NodeJS.Platform): string {
  if (platform !== 'linux') return text;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
