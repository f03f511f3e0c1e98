import type { DomainEvent } from '../../domain-events.ts';

/**
 * A text that a process sends to all others, in as many notifications of PostgreSQL as it needs.
 */
export interface Broadcast {
  /** Id of the process, or 0 for a command. */
  readonly sender: number;
  /** Number of a text with events, which increases by one. 0 for texts that are not numbered. */
  readonly batch: number;
  readonly text: string;
}

/** A notification has less than 8,000 bytes. The texts are ASCII, and a header precedes them. */
const PIECE_MAX = 7_900;

/** Splits a text into the payloads of notifications: sender, batch, position, count and piece. */
export function encodeBroadcast({ sender, batch, text }: Broadcast): string[] {
  const count = Math.max(1, Math.ceil(text.length / PIECE_MAX));
  return Array.from({ length: count }, (_, index) => {
    const piece = text.slice(index * PIECE_MAX, (index + 1) * PIECE_MAX);
    return `${sender}:${batch}:${index}:${count}:${piece}`;
  });
}

/**
 * Returns a function that joins the payloads of each sender. It returns a text once it is complete,
 * and undefined before that and for the payloads of other programs.
 */
export function createBroadcastDecoder(): (payload: string) => Broadcast | undefined {
  const begun = new Map<number, string[]>();
  return (payload) => {
    const parts = /^(\d+):(\d+):(\d+):(\d+):(.*)$/s.exec(payload);
    if (parts === null) return undefined;
    const [, id, batch, index, count, piece = ''] = parts;
    const sender = Number(id);
    const pieces = index === '0' ? [] : (begun.get(sender) ?? []);
    pieces.push(piece);
    begun.set(sender, pieces);
    if (pieces.length < Number(count)) return undefined;
    begun.delete(sender);
    return { sender, batch: Number(batch), text: pieces.join('') };
  };
}

/** Returns events as an ASCII text, which has as many bytes as characters. */
export function encodeEvents(events: readonly DomainEvent[]): string {
  return JSON.stringify(events).replace(
    /[^\x20-\x7E]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns the events in a text, or none if it is not one of a server. */
export function decodeEvents(text: string): DomainEvent[] {
  try {
    const events: unknown = JSON.parse(text);
    return Array.isArray(events) ? events : [];
  } catch {
    return [];
  }
}
