/** How much of the duration an item may be late, so that one timer serves many. */
const SLACK = 0.01;

/** Items handled in one turn of the event loop: after a restart, all clients are due at once. */
const BATCH = 256;

/** Deadlines of one duration for many items, on one timer: in the order of setting they are in the order of time. */
export class Deadlines<T> {
  readonly #duration: number;
  readonly #onDue: (item: T) => void;
  readonly #due = new Map<T, number>();
  #timer: NodeJS.Timeout | undefined;

  /** `duration` in milliseconds; an item that is due is forgotten, then handed to `onDue`. */
  constructor(duration: number, onDue: (item: T) => void) {
    this.#duration = duration;
    this.#onDue = onDue;
  }

  /** Starts an item's time, or starts it anew. */
  start(item: T): void {
    this.#due.delete(item);
    this.#due.set(item, performance.now() + this.#duration);
    this.#timer ??= setTimeout(() => this.#handleDue(), this.#duration);
  }

  /** Forgets an item. No timer is left behind the last one. */
  stop(item: T): void {
    this.#due.delete(item);
    if (this.#due.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #handleDue(): void {
    const now = performance.now();
    let handled = 0;
    for (const [item, due] of this.#due) {
      if (due > now || handled === BATCH) break;
      handled += 1;
      this.#due.delete(item);
      this.#onDue(item);
    }
    this.#timer = undefined;
    for (const due of this.#due.values()) {
      const wait = handled === BATCH ? 0 : Math.max(due - now, this.#duration * SLACK);
      this.#timer = setTimeout(() => this.#handleDue(), wait);
      break;
    }
  }
}
