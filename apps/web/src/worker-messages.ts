import type { Host } from '@parley/renderer/host';
import { createEventBuffer } from './event-buffer.ts';
import { listNotifications } from './shown-notifications.ts';
import {
  LANGUAGE_KEY,
  parseWorkerMessage,
  POINTER_CACHE,
  type UnsentReply,
} from './worker-contract.ts';

type WorkerEvents = Pick<Host, 'onOpenPath' | 'onDraft' | 'setLanguage'>;

/**
 * Starts to receive the service worker's messages. Must run before the page has loaded, as the browser
 * discards messages afterwards if nothing listens.
 */
export function listenToWorker(workers: ServiceWorkerContainer | undefined): WorkerEvents {
  if (!workers) return {};
  const openedPaths = createEventBuffer<[path: string]>();
  const replies = createUnsentReplies(workers);
  workers.addEventListener('message', ({ data, ports }) => {
    const message = parseWorkerMessage(data);
    if (!message) return;
    const { open, draft } = message;
    if (draft) replies.add(draft);
    openedPaths.push(open);
    ports[0]?.postMessage('received');
  });
  return {
    onOpenPath: openedPaths.listen,
    onDraft: replies.listen,
    setLanguage: (language) => {
      storeLanguage(workers, language).catch(() => undefined);
    },
  };
}

interface UnsentReplies {
  add: (reply: UnsentReply) => void;
  /** Passes the replies of a user to a listener, those that come later, too. Returns an unsubscribe function. */
  listen: NonNullable<Host['onDraft']>;
}

/**
 * Keeps replies until their user is signed in and listens. Until then, they stay in their notifications, too, as
 * the page may be closed before. Those of other users are then removed.
 */
function createUnsentReplies(workers: ServiceWorkerContainer): UnsentReplies {
  const pending = new Map<string, UnsentReply>();
  let takeAll: () => void = () => undefined;

  return {
    add: (reply) => {
      // The notification of a chatroom has all of its replies.
      pending.set(`${reply.user}:${reply.chatroom}`, reply);
      takeAll();
    },
    listen: (username, listener) => {
      const take = (): void => {
        for (const [key, { chatroom, user, text }] of pending) {
          pending.delete(key);
          if (user !== username) continue;
          listener(chatroom, text)
            .then(() => closeReplies(workers, (data) => data.chatroom === chatroom))
            .catch(() => undefined);
        }
        closeReplies(workers, ({ user = username }) => user !== username).catch(() => undefined);
      };
      takeAll = take;
      take();
      return () => {
        if (takeAll === take) takeAll = () => undefined;
      };
    },
  };
}

/** The data of a notification with an unsent reply. Those of earlier versions have no user. */
interface UnsentReplyData {
  chatroom?: string;
  user?: string;
  reply?: string;
}

/** Closes notifications of unsent replies. */
async function closeReplies(
  workers: ServiceWorkerContainer,
  isClosed: (data: UnsentReplyData) => boolean,
): Promise<void> {
  const registration = await workers.getRegistration();
  for (const notification of await listNotifications(registration)) {
    const data: UnsentReplyData = notification.data ?? {};
    if (data.reply !== undefined && isClosed(data)) notification.close();
  }
}

/** Stores the language for the own texts of the active worker, which deletes the cache when it unregisters itself. */
async function storeLanguage(workers: ServiceWorkerContainer, language: string): Promise<void> {
  await workers.ready;
  if (!(await caches.has(POINTER_CACHE))) return;
  await (await caches.open(POINTER_CACHE)).put(LANGUAGE_KEY, new Response(language));
}
