/** Counts consumption per subject in fixed time windows that begin with the first use. */
export interface WindowCounter {
  /**
   * Consumes `cost` for a subject unless that would exceed the limit. Returns undefined on success,
   * or the seconds until the subject's window ends.
   */
  consume(subject: string, cost?: number): number | undefined;
  /** Refunds a cost, such as that of an attempt that succeeded. */
  refund(subject: string, cost?: number): void;
  /** Returns whether the subject has reached the limit. */
  isExhausted(subject: string): boolean;
}

interface Use {
  used: number;
  /** In UTC milliseconds. */
  readonly endsAt: number;
}

/** Maximum number of subjects below the limit that are stored, and of subjects at the limit. */
const SUBJECTS_MAX = 50_000;

/**
 * Creates a counter with a limit of `max` per `seconds` for each subject. Above `capacity`,
 * the oldest subject is evicted. Subjects at the limit are stored separately, so that requests for
 * other subjects cannot evict them.
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
    const [target, other] = use.used >= max ? [exhausted, below] : [below, exhausted];
    other.delete(subject);
    target.set(subject, use);
    if (target.size <= capacity) return;
    for (const oldest of target.keys()) {
      target.delete(oldest);
      break;
    }
  }

  return {
    consume(subject, cost = 1) {
      const now = Date.now();
      const use = find(subject, now) ?? { used: 0, endsAt: now + seconds * 1000 };
      // A request that costs more than the limit would otherwise always be rejected.
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
