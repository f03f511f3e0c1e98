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

/** Maximum number of bytes of a piece. A notification has less than 8,000, with a header before the piece. */
const PIECE_MAX = 7_900;

/** Splits a text into the payloads of notifications: sender, batch, position, count and piece. */
export function encodeBroadcast({ sender, batch, text }: Broadcast): string[] {
  const pieces = splitText(text);
  return pieces.map((piece, index) => `${sender}:${batch}:${index}:${pieces.length}:${piece}`);
}

/** Splits a text by its bytes in UTF-8. */
function splitText(text: string): string[] {
  const bytes = Buffer.from(text);
  const pieces: string[] = [];
  let start = 0;
  do {
    let end = start + PIECE_MAX;
    while (isWithinCharacter(bytes[end])) end -= 1;
    pieces.push(bytes.toString('utf8', start, end));
    start = end;
  } while (start < bytes.length);
  return pieces;
}

/** Returns whether a byte of a text in UTF-8 is not the first one of a character (RFC 3629 §3). */
function isWithinCharacter(byte = 0): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
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

/** Number of characters after which another text begins. */
const TEXT_MAX = 64 * 1024;

/** Yields events as texts that are short enough to be encoded and sent without delaying requests. */
export function* encodeEvents(events: readonly DomainEvent[]): Generator<string> {
  let items: string[] = [];
  let length = 0;
  for (const event of events) {
    const item = JSON.stringify(event);
    items.push(item);
    length += item.length;
    if (length < TEXT_MAX) continue;
    yield `[${items.join(',')}]`;
    items = [];
    length = 0;
  }
  if (items.length > 0) yield `[${items.join(',')}]`;
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
