/** What users share with their partners unless they turn it off. */
export type Shared = 'sharesReceipts' | 'sharesTyping' | 'sharesPresence';

/** Positions in a chatroom. */
interface Positions {
  readonly deliveredSeq: number;
  readonly readSeq: number;
}

/** What a user has done that the partner may be told. */
interface Facts {
  hasConsented: boolean;
  hasTyped: boolean;
  /** Whether a device has ever been in use. */
  hasBeenActive: boolean;
  /** What the user does not share now. */
  readonly unshared: Set<Shared>;
  /** What the user has ever not shared. */
  readonly everUnshared: Set<Shared>;
}

/** A record of what the users did, to check what their partners are told about them. */
export class PartnerFacts {
  readonly #facts = new Map<string, Facts>();
  /** The highest positions that a device has reported, by user and chatroom. */
  readonly #acknowledged = new Map<string, Positions>();

  /** Records that a device reports positions to the server. */
  acknowledge(
    username: string,
    chatroomId: string,
    { deliveredSeq = 0, readSeq = 0 }: Partial<Positions>,
  ): void {
    const before = this.acknowledgedBy(username, chatroomId);
    this.#acknowledged.set(`${username}:${chatroomId}`, {
      deliveredSeq: Math.max(before.deliveredSeq, deliveredSeq, readSeq),
      readSeq: Math.max(before.readSeq, readSeq),
    });
  }

  /** Returns up to where a user has told the server that messages have arrived and were read. */
  acknowledgedBy(username: string, chatroomId: string): Positions {
    const known = this.#acknowledged.get(`${username}:${chatroomId}`);
    return known ?? { deliveredSeq: 0, readSeq: 0 };
  }

  /** Records that a user may have accepted the partner. */
  consent(username: string): void {
    this.#of(username).hasConsented = true;
  }

  hasConsented(username: string): boolean {
    return this.#of(username).hasConsented;
  }

  /** Records that a user is typing and that the partner may be told. */
  type(username: string): void {
    this.#of(username).hasTyped = true;
  }

  hasTyped(username: string): boolean {
    return this.#of(username).hasTyped;
  }

  /** Records that a device of a user is in use. */
  activate(username: string): void {
    this.#of(username).hasBeenActive = true;
  }

  hasBeenActive(username: string): boolean {
    return this.#of(username).hasBeenActive;
  }

  /** Records that a user turns sharing on or off. */
  share(username: string, what: Shared, isShared: boolean): void {
    const { unshared, everUnshared } = this.#of(username);
    if (isShared) unshared.delete(what);
    else {
      unshared.add(what);
      everUnshared.add(what);
    }
  }

  /** Returns whether a user shares something now. */
  isSharing(username: string, what: Shared): boolean {
    return !this.#of(username).unshared.has(what);
  }

  /** Returns whether a user has always shared something. */
  hasAlwaysShared(username: string, what: Shared): boolean {
    return !this.#of(username).everUnshared.has(what);
  }

  #of(username: string): Facts {
    const known = this.#facts.get(username);
    if (known) return known;
    const facts: Facts = {
      hasConsented: false,
      hasTyped: false,
      hasBeenActive: false,
      unshared: new Set(),
      everUnshared: new Set(),
    };
    this.#facts.set(username, facts);
    return facts;
  }
}
