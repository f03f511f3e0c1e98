/** Counts what subjects use up in windows of time that begin with their first use. */
export interface WindowCounter {
  /**
   * Adds to what a subject has used up, unless this exceeds the bound. Returns undefined, or the
   * seconds until the subject's window ends if it was refused.
   */
  consume(subject: string, cost?: number): number | undefined;
  /** Takes back what was consumed, such as by an attempt that turned out to be no failure. */
  refund(subject: string, cost?: number): void;
  /** Whether the subject has used up all that it may. */
  isExhausted(subject: string): boolean;
}

interface Use {
  used: number;
  /** UTC milliseconds. */
  readonly endsAt: number;
}

/** How many subjects a counter remembers below their bound, and as many at their bound. */
const SUBJECTS_MAX = 50_000;

/**
 * Creates a counter that lets each subject use up `max` in `seconds`. At `capacity` the subject
 * that began first is forgotten; those at their bound have room of their own, so that requests
 * for other subjects cannot push them out.
 */
export function createWindowCounter(
  max: number,
  seconds: number,
  capacity = SUBJECTS_MAX,
): WindowCounter {
  const below = new Map<string, Use>();
  const exhausted = new Map<string, Use>();

  function find(subject: string, now: number): Use | undefined {
    const use = exhausted.get(subject) ?? below.get(subject);
    if (use === undefined || use.endsAt > now) return use;
    exhausted.delete(subject);
    below.delete(subject);
    return undefined;
  }

  function store(subject: string, use: Use): void {
    const [right, wrong] = use.used >= max ? [exhausted, below] : [below, exhausted];
    wrong.delete(subject);
    right.set(subject, use);
    if (right.size <= capacity) return;
    for (const oldest of right.keys()) {
      right.delete(oldest);
      break;
    }
  }

  return {
    consume(subject, cost = 1) {
      const now = Date.now();
      const use = find(subject, now) ?? { used: 0, endsAt: now + seconds * 1000 };
      // One that costs more than a whole window would never be let through.
      const added = Math.min(cost, max);
      if (use.used + added > max) {
        return Math.max(1, Math.ceil((use.endsAt - now) / 1000));
      }
      use.used += added;
      store(subject, use);
      return undefined;
    },
    refund(subject, cost = 1) {
      const use = find(subject, Date.now());
      if (use === undefined) return;
      use.used -= Math.min(cost, max, use.used);
      store(subject, use);
    },
    isExhausted: (subject) => (find(subject, Date.now())?.used ?? 0) >= max,
  };
}
