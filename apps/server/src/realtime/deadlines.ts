/**
 * Fraction of the duration by which an item may be late, so that one timer can serve many items.
 */
const TOLERANCE = 0.01;

/**
 * Maximum number of items handled per turn of the event loop. After a restart, all clients are due
 * at the same time.
 */
const BATCH = 256;

/** Tracks deadlines of the same duration for many items with a single timer. */
export class Deadlines<T> {
  readonly #duration: number;
  readonly #onDue: (item: T) => void;
  // All deadlines have the same duration, so insertion order is also the order in which they are
  // due.
  readonly #due = new Map<T, number>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param duration in milliseconds.
   * @param onDue called with each due item after its removal.
   */
  constructor(duration: number, onDue: (item: T) => void) {
    this.#duration = duration;
    this.#onDue = onDue;
  }

  /** Starts or restarts the deadline of an item. */
  start(item: T): void {
    this.#due.delete(item);
    this.#due.set(item, performance.now() + this.#duration);
    this.#timer ??= setTimeout(() => this.#handleDue(), this.#duration);
  }

  /** Cancels the deadline of an item. The timer is cleared with the last item. */
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
      const wait = handled === BATCH ? 0 : Math.max(due - now, this.#duration * TOLERANCE);
      this.#timer = setTimeout(() => this.#handleDue(), wait);
      break;
    }
  }
}
