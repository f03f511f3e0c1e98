import { createHash } from 'node:crypto';
import type { DesktopNotification, NotificationOutcome } from '@parley/contract';
import type { NotificationConstructorOptions } from 'electron';

/** The parts of Electron's `Notification` that are used here. */
export interface ShownNotification {
  show: () => void;
  close: () => void;
  once(event: 'click', listener: () => void): unknown;
  once(event: 'close', listener: () => void): unknown;
  once(event: 'show', listener: () => void): unknown;
  once(event: 'failed', listener: () => void): unknown;
  once(event: 'reply', listener: (details: { reply: string }) => void): unknown;
}

/** What notifications depend on: the system, and what the person wants. */
export interface NotificationCenterDeps {
  create: (options: NotificationConstructorOptions) => ShownNotification;
  isSupported: () => boolean;
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

/** Where a notification comes from, and what happens to it. */
export interface NotificationSource {
  /** Origin of the server: rooms of two servers never replace each other. */
  server: string;
  /** The person looks at the window of this server. */
  isWatched: () => boolean;
  onOpen: (chatroom: string) => void;
  onReply: (chatroom: string, text: string) => void;
}

/** Shows one notification a room and takes it away again. */
export interface NotificationCenter {
  show: (
    notification: DesktopNotification,
    source: NotificationSource,
  ) => Promise<NotificationOutcome>;
  /** Shows one whatever the wishes are. */
  test: () => Promise<NotificationOutcome>;
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
  // A notification that nothing refers to is collected, and its click with it.
  const shown = new Map<string, ShownNotification>();

  function drop(key: string): void {
    const old = shown.get(key);
    shown.delete(key);
    old?.close();
  }

  async function present(
    key: string,
    options: NotificationConstructorOptions,
    listen: (notification: ShownNotification) => void,
  ): Promise<NotificationOutcome> {
    if (!deps.isSupported()) return 'unsupported';
    // Linux knows no `id` to replace by; closing first does it everywhere.
    drop(key);
    const notification = deps.create({ id: shortId(key), ...options });
    shown.set(key, notification);
    const settle = (): void => {
      if (shown.get(key) === notification) shown.delete(key);
    };
    const refused = new Promise<NotificationOutcome>((resolve) => {
      notification.once('failed', () => {
        settle();
        resolve('refused');
      });
      notification.once('show', () => resolve('shown'));
      setTimeout(resolve, REFUSAL_MS, 'shown').unref();
    });
    notification.once('close', settle);
    listen(notification);
    notification.show();
    return refused;
  }

  return {
    show: async ({ chatroom, title, body }, source) => {
      const { isOn, showsContent } = deps.wishes();
      if (!isOn || source.isWatched()) return 'off';
      const texts = deps.texts();
      const key = keyOf(source.server, chatroom);
      const options: NotificationConstructorOptions = {
        title: showsContent ? title : texts.hiddenTitle,
        body: showsContent ? asWritten(shorten(body), deps.platform) : texts.hiddenBody,
        groupId: shortId(source.server),
        // The app plays its own sound, at the person's volume.
        silent: true,
        ...(HAS_REPLY.has(deps.platform) && {
          hasReply: true,
          replyPlaceholder: texts.replyPlaceholder,
        }),
      };
      return present(key, options, (notification) => {
        notification.once('click', () => {
          drop(key);
          source.onOpen(chatroom);
        });
        notification.once('reply', ({ reply }) => {
          const text = reply.trim();
          drop(key);
          if (text !== '') source.onReply(chatroom, text);
        });
      });
    },
    test: async () => {
      const { testTitle, testBody } = deps.texts();
      return present('test', { title: testTitle, body: testBody }, () => undefined);
    },
    withdraw: (server, chatroom) => drop(keyOf(server, chatroom)),
    withdrawAll: (server) => {
      const keys = [...shown.keys()].filter((key) => key.startsWith(`${server} `));
      for (const key of keys) drop(key);
    },
  };
}

function keyOf(server: string, chatroom: string): string {
  return `${server} ${chatroom}`;
}

/** Windows takes at most 64 characters. */
function shortId(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
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
