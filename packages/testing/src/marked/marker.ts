/** The text that the server must remove. Its four bytes fit into 32-bit fields. */
export const MARKER = 'MARK';

/** Returns the marker repeated to a length in bytes. */
export function marked(length: number): Buffer {
  return Buffer.from(MARKER.repeat(Math.ceil(length / MARKER.length)).slice(0, length), 'latin1');
}

/** A recording with places for data that does not belong to its sound. */
export interface MarkableRecording {
  /** File extension without the dot. */
  readonly extension: 'webm' | 'mp4' | 'mp3' | 'aac' | 'wav';
  readonly durationMs: number;
  /** Names of the places that can be marked. */
  readonly places: readonly string[];
  /** Creates the file with the marker at the given places. */
  readonly build: (places: ReadonlySet<string>) => Buffer;
}

/** A collector of the names of all places in a new file. It marks the selected places. */
export class Marking {
  readonly #wanted: ReadonlySet<string> | 'all';
  readonly seen: string[] = [];

  constructor(wanted: ReadonlySet<string> | 'all') {
    this.#wanted = wanted;
  }

  /** Returns whether a place is to be marked. */
  at(place: string): boolean {
    this.seen.push(place);
    return this.#wanted === 'all' || this.#wanted.has(place);
  }

  /** Returns the result of `make` if a place is to be marked, otherwise no bytes. */
  extra(place: string, make: () => Buffer): Buffer {
    return this.at(place) ? make() : Buffer.alloc(0);
  }

  /** Returns `plain`, or a marker of the same length. */
  field(place: string, plain: Buffer): Buffer {
    return this.at(place) ? marked(plain.length) : plain;
  }
}

/** Creates a recording from its build function. */
export function createMarkableRecording(
  extension: MarkableRecording['extension'],
  durationMs: number,
  make: (mark: Marking) => Buffer,
): MarkableRecording {
  const all = new Marking('all');
  make(all);
  return { extension, durationMs, places: all.seen, build: (places) => make(new Marking(places)) };
}
