import type { MediaInfo } from '@parley/contract';

/** A message that the server has not confirmed yet. */
export interface OutboxEntry {
  /** UUID; the server takes a message with the same one only once. */
  clientId: string;
  chatroom: string;
  content: string;
  /** Of a recording, to show it before the server has confirmed it. */
  media?: MediaInfo;
  /** When it was written, ISO 8601. */
  createdAt: string;
  /** `waiting` for its turn or for the connection, on its way, or refused. */
  state: 'waiting' | 'sending' | 'failed';
}

/** The next message that may go out in each room: the first that was not refused. */
export function nextToSend(entries: readonly OutboxEntry[]): OutboxEntry[] {
  const heads = new Map<string, OutboxEntry>();
  for (const entry of entries) {
    if (entry.state !== 'failed' && !heads.has(entry.chatroom)) heads.set(entry.chatroom, entry);
  }
  return [...heads.values()];
}

/** The queue with one entry in another state. */
export function withState(
  entries: readonly OutboxEntry[],
  clientId: string,
  state: OutboxEntry['state'],
): readonly OutboxEntry[] {
  return entries.map((entry) =>
    entry.clientId === clientId && entry.state !== state ? { ...entry, state } : entry,
  );
}

/** The queue with a refused entry at its end, to be tried again after what is waiting. */
export function requeued(
  entries: readonly OutboxEntry[],
  clientId: string,
): readonly OutboxEntry[] {
  const entry = entries.find((each) => each.clientId === clientId);
  if (!entry) return entries;
  return [...without(entries, clientId), { ...entry, state: 'waiting' }];
}

/** The queue without an entry. */
export function without(entries: readonly OutboxEntry[], clientId: string): readonly OutboxEntry[] {
  return entries.filter((entry) => entry.clientId !== clientId);
}

/** A stored queue; undefined for anything else. What was on its way waits again. */
export function parseQueue(value: unknown): readonly OutboxEntry[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const entries = value.filter(isEntry);
  for (const entry of entries) {
    if (entry.state === 'sending') entry.state = 'waiting';
  }
  return entries;
}

function isEntry(value: unknown): value is OutboxEntry {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Partial<Record<keyof OutboxEntry, unknown>> = value;
  return (
    typeof fields.clientId === 'string' &&
    typeof fields.chatroom === 'string' &&
    typeof fields.content === 'string' &&
    typeof fields.createdAt === 'string' &&
    (fields.state === 'waiting' || fields.state === 'sending' || fields.state === 'failed')
  );
}
