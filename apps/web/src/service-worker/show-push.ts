import { PUSH_TAGS, type PushData } from '@parley/contract';
import { listNotifications, showNotification } from '../shown-notifications.ts';
import { findWorkerTexts } from './worker-texts.ts';

declare const self: ServiceWorkerGlobalScope;

/** Options that the type definitions of workers lack. Browsers ignore those that they do not know. */
export interface ShownOptions extends NotificationOptions {
  tag: string;
  data: ShownData;
  /** Whether replacing a notification with the same tag alerts the user again. */
  renotify?: boolean;
  actions?: readonly {
    action: string;
    title: string;
    /** Asks for a text in the notification, where the browser can. */
    type?: 'text';
    placeholder?: string;
  }[];
}

/** The data of a notification, of a push message or of an open page. */
export interface ShownData extends Partial<PushData> {
  /** Absolute URL that a tap opens. */
  navigate: string;
  /** Present in notifications of an open page: when it was shown, in milliseconds since 1970. */
  shownAt?: number;
  /** A reply that could not be sent, and that a tap takes to the chatroom. */
  reply?: string;
}

interface Push {
  title: string;
  options: ShownOptions;
  read: readonly string[];
  unread: number | undefined;
}

/** How long what an open page has shown without a `seq` counts as that of a push message. Milliseconds. */
const SAME_EVENT_MS = 60_000;
const CHATS = '/chatarea';

/** The newest `seq` by tag of notifications that the user has dismissed while this worker runs. */
const dismissed = new Map<string, number>();

/** Remembers that the user dismissed a notification. */
export function recordDismissed({ tag, data }: Notification): void {
  const { seq }: Partial<ShownData> = data ?? {};
  if (seq !== undefined) dismissed.set(tag, seq);
}

/** Shows a push message, and closes the notifications of chatrooms that were read meanwhile. */
export async function showPush(event: PushEvent): Promise<void> {
  const push = parsePush(event) ?? (await createGeneralPush());
  const shown = await listNotifications(self.registration);
  for (const notification of shown) {
    const { chatroom, reply }: Partial<ShownData> = notification.data ?? {};
    const isRead = chatroom !== undefined && push.read.includes(chatroom);
    if (isRead && reply === undefined) notification.close();
  }
  const { title, options, unread } = push;
  const isKnown = isShownAlready(options, shown);
  // Each push message has to be shown. One that an open page has shown before replaces it without a sound.
  await showNotification(self.registration, title, {
    ...options,
    renotify: !isKnown,
    ...(isKnown && { silent: true }),
  } as NotificationOptions);
  if (unread !== undefined) await setBadge(unread);
}

/**
 * Shows a notification again that is not done with, because an action failed. A reply is added to those that
 * could not be sent before.
 */
export async function showFailure(
  { title, tag: failedTag, lang, dir, data }: Notification,
  text: 'readFailed' | 'replyFailed',
  newReply?: string,
): Promise<void> {
  const texts = await findWorkerTexts(lang);
  const { chatroom = '' }: Partial<ShownData> = data ?? {};
  const tag = newReply === undefined ? failedTag : PUSH_TAGS.unsentReply(chatroom);
  const [before] =
    newReply === undefined ? [] : await listNotifications(self.registration, { tag });
  const { reply: unsent }: Partial<ShownData> = before?.data ?? {};
  const reply = unsent === undefined ? newReply : `${unsent}\n${newReply}`;
  const body = reply === undefined ? texts[text] : `${texts[text]}\n${reply}`;
  const options: ShownOptions = {
    body,
    tag,
    lang: texts.language,
    dir,
    icon: ICONS.icon,
    badge: ICONS.badge,
    data: { ...data, ...(reply !== undefined && { reply }) },
  };
  await showNotification(self.registration, title, options);
}

/** Shows the number of unread messages on the icon of the installed app. */
export async function setBadge(count: number): Promise<void> {
  const browser: Partial<Pick<WorkerNavigator, 'setAppBadge' | 'clearAppBadge'>> = navigator;
  const done = count > 0 ? browser.setAppBadge?.(count) : browser.clearAppBadge?.();
  // Only installed apps have a badge.
  await done?.catch(() => undefined);
}

const ICONS = { icon: '/icon-192.png', badge: '/badge-96.png' } as const;

/** Returns whether an open page has shown the same event, or the user has dismissed it. */
function isShownAlready(
  { tag, data: { seq, type } }: ShownOptions,
  shown: readonly Notification[],
): boolean {
  const before: Partial<ShownData> | undefined = shown.find((each) => each.tag === tag)?.data;
  // A message may have several reactions, and an accepted invitation has no message.
  if (type === 'reaction' || type === 'invitation') {
    return Date.now() - (before?.shownAt ?? -Infinity) < SAME_EVENT_MS;
  }
  if (seq === undefined) return false;
  return Math.max(before?.seq ?? 0, dismissed.get(tag) ?? 0) >= seq;
}

/** Parses a declarative push message. Returns undefined if it is not one of this server. */
function parsePush(event: PushEvent): Push | undefined {
  // Safari parses the message and passes the notification that it would show.
  const { notification } = fieldsOf(event.data ? parseJson(event.data) : event);
  const { title, body, lang, tag, navigate, silent, actions, data } = fieldsOf(notification);
  if (typeof title !== 'string' || title === '' || typeof tag !== 'string') return undefined;
  const { type, user, chatroom, seq, unread, read } = fieldsOf(data);
  return {
    title,
    options: {
      ...ICONS,
      body: typeof body === 'string' ? body : '',
      tag,
      dir: 'auto',
      ...(typeof lang === 'string' && { lang }),
      ...(silent === true && { silent }),
      ...(Array.isArray(actions) && { actions: actions.flatMap(parseAction) }),
      data: {
        navigate: typeof navigate === 'string' ? navigate : CHATS,
        ...((type === 'reaction' || type === 'invitation') && { type }),
        ...(typeof user === 'string' && { user }),
        ...(typeof chatroom === 'string' && { chatroom }),
        ...(typeof seq === 'number' && { seq }),
      },
    },
    read: Array.isArray(read) ? read.filter((each) => typeof each === 'string') : [],
    unread: typeof unread === 'number' ? unread : undefined,
  };
}

function parseAction(value: unknown): NonNullable<ShownOptions['actions']> {
  const { action, title } = fieldsOf(value);
  if (typeof action !== 'string' || typeof title !== 'string') return [];
  return [{ action, title, ...(action === 'reply' && { type: 'text', placeholder: title }) }];
}

function parseJson(message: PushMessageData): unknown {
  try {
    return message.json();
  } catch {
    return undefined;
  }
}

/** Returns an object for reading its fields, an empty one for any other value. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Creates what is shown for a message that cannot be read, such as one without content. */
async function createGeneralPush(): Promise<Push> {
  const texts = await findWorkerTexts(undefined);
  return {
    title: 'Parley',
    options: {
      ...ICONS,
      body: texts.general,
      lang: texts.language,
      tag: 'general',
      data: { navigate: CHATS },
    },
    read: [],
    unread: undefined,
  };
}
