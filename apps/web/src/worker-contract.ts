// What pages and the service worker of this origin have in common.

/**
 * The cache whose entry `/` names the cache of the build that pages start with. An empty name makes pages
 * come from the server.
 */
export const POINTER_CACHE = 'parley-shell';

/** Key in that cache. Its value is the language that a page was last shown in. */
export const LANGUAGE_KEY = '/language';

/** A reply that could not be sent in a notification, as a draft for the chatroom. */
export interface UnsentReply {
  chatroom: string;
  /** Username of the account for which it was written. Others must not see it. */
  user: string;
  text: string;
}

/** A message of the service worker to a page, which confirms it on the port that comes with it. */
export interface WorkerMessage {
  /** Path to open, below this origin. */
  open: string;
  /** A reply that could not be sent in the notification. */
  draft?: UnsentReply;
}

/** Parses a message. Returns undefined unless it is one of the service worker. */
export function parseWorkerMessage(value: unknown): WorkerMessage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { open, draft }: { open?: unknown; draft?: unknown } = value;
  if (typeof open !== 'string' || !open.startsWith('/') || open.startsWith('//')) return undefined;
  if (typeof draft !== 'object' || draft === null) return { open };
  const { chatroom, user, text }: { [Key in keyof UnsentReply]?: unknown } = draft;
  if (typeof chatroom !== 'string' || typeof user !== 'string' || typeof text !== 'string') {
    return { open };
  }
  return { open, draft: { chatroom, user, text } };
}
