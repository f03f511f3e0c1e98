import { isBlank } from '@parley/contract';
import type { WorkerMessage } from '../worker-contract.ts';
import { setBadge, showFailure, type ShownData } from './show-push.ts';
import { request } from './worker-requests.ts';

declare const self: ServiceWorkerGlobalScope;

/** How long a page may take to confirm a message, before it is loaded again instead. Milliseconds. */
const CONFIRM_MAX = 1_500;
/** The parameter of a chatroom's path that focuses its text box. */
const REPLY_PARAM = 'reply';

/** Handles a tap on a notification or on one of its buttons. */
export async function handleNotificationClick(
  event: NotificationEvent & { readonly reply?: string | null },
): Promise<void> {
  const { notification, action } = event;
  const reply = event.reply ?? '';
  const data: Partial<ShownData> = notification.data ?? {};
  // The page closes one with a reply that could not be sent, once it is a draft of its account or another user signs in.
  if (data.reply === undefined) notification.close();
  const { chatroom, seq } = data;
  if (action === 'read' && chatroom !== undefined) {
    const isRead = await markAsRead(chatroom, seq);
    if (!isRead) await showFailure(notification, 'readFailed');
    return;
  }
  if (action === 'reply' && chatroom !== undefined && !isBlank(reply)) {
    const isSent = await sendReply(chatroom, reply);
    if (isSent) await markAsRead(chatroom, seq);
    else await showFailure(notification, 'replyFailed', reply);
    return;
  }
  await openPage(pathOf(data, action === 'reply'), data);
}

/** Returns the path below this origin that a notification leads to. */
function pathOf({ navigate = '/', reply }: Partial<ShownData>, isReplying: boolean): string {
  const { origin } = self.location;
  const url = URL.canParse(navigate, origin) ? new URL(navigate, origin) : undefined;
  if (url?.origin !== origin) return '/';
  if (isReplying || reply !== undefined) url.searchParams.set(REPLY_PARAM, '');
  return url.pathname + url.search;
}

/** Shows a path in an open page, or else in a new one. */
async function openPage(
  path: string,
  { chatroom, user, reply: text }: Partial<ShownData>,
): Promise<void> {
  const message: WorkerMessage = {
    open: path,
    ...(chatroom !== undefined &&
      user !== undefined &&
      text !== undefined && { draft: { chatroom, user, text } }),
  };
  // The page that was used last comes first.
  const [page] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  // Only a tap on a notification may focus a page, and only shortly after it.
  await page?.focus().catch(() => undefined);
  if (page && (await isConfirmed(page, message))) return;
  const navigated = await page?.navigate(path).catch(() => undefined);
  const loading = navigated ?? (await self.clients.openWindow(path));
  // A page that is loading receives its messages later.
  if (loading && message.draft) await isConfirmed(loading, message);
}

/** Sends a message to a page. Resolves to whether it was received: not by pages that are loading or frozen. */
function isConfirmed(page: WindowClient, message: WorkerMessage): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => resolve(true), { once: true });
    port1.start();
    page.postMessage(message, [port2]);
    setTimeout(() => resolve(false), CONFIRM_MAX);
  });
}

/** Marks a chatroom as read up to a message. Resolves to whether the server did. */
async function markAsRead(chatroom: string, seq: number | undefined): Promise<boolean> {
  const body = seq === undefined ? {} : { seq };
  const read = await request('markAsRead', { params: { id: chatroom }, body });
  if (read) await showTotal();
  return read !== undefined;
}

/** Shows the total of unread messages, as a page counts them. */
async function showTotal(): Promise<void> {
  const list = await request('listChats');
  if (!list) return;
  const counted = list.chatrooms.filter(({ status, settings }) => {
    const isMuted = Date.parse(settings?.mutedUntil ?? '') > Date.now();
    return status !== 'request' && !isMuted && settings?.isArchived !== true;
  });
  await setBadge(counted.reduce((sum, { unreadMessagesCount }) => sum + unreadMessagesCount, 0));
}

async function sendReply(chatroom: string, content: string): Promise<boolean> {
  // A repeated request with the same id sends only once.
  const body = { chatroom, content: content.trim(), clientId: crypto.randomUUID() };
  const sent = (await request('sendMessage', { body })) ?? (await request('sendMessage', { body }));
  return sent !== undefined;
}
