/** Counts consumption per subject in fixed time windows that begin with the first use. */
export interface WindowCounter {
  /** Consumes `cost` for a subject unless that would exceed the limit. */
  consume(subject: string, cost?: number): WindowConsumption;
  /** Returns whether the subject has reached the limit. */
  isExhausted(subject: string): boolean;
}

/** The seconds until the subject's window ends if the limit would be exceeded, or what changes the consumption. */
export type WindowConsumption =
  | { readonly retryAfter: number }
  | {
      readonly retryAfter?: undefined;
      /**
       * Replaces the cost, by 0 to refund it. The new one may exceed the limit. If the window has ended, the new cost
       * counts in the next one.
       */
      readonly settle: (cost: number) => void;
    };

interface Use {
  used: number;
  /** In milliseconds of `performance.now()`, which never goes back. */
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

  /** Replaces a cost. Returns when the window ends in which the new one counts. */
  function replace(
    subject: string,
    before: { readonly cost: number; readonly endsAt: number },
    after: number,
  ): number {
    const now = performance.now();
    const found = find(subject, now);
    const counted = found?.endsAt === before.endsAt ? before.cost : 0;
    if (counted === after) return before.endsAt;
    const use = found ?? { used: 0, endsAt: now + seconds * 1000 };
    use.used += after - counted;
    store(subject, use);
    return use.endsAt;
  }

  return {
    consume(subject, cost = 1) {
      const now = performance.now();
      const use = find(subject, now) ?? { used: 0, endsAt: now + seconds * 1000 };
      // A request that costs more than the limit would otherwise always be rejected.
      const added = Math.min(cost, max);
      if (use.used + added > max) {
        return { retryAfter: Math.max(1, Math.ceil((use.endsAt - now) / 1000)) };
      }
      use.used += added;
      store(subject, use);
      let consumed = { cost: added, endsAt: use.endsAt };
      return {
        settle(after) {
          consumed = { cost: after, endsAt: replace(subject, consumed, after) };
        },
      };
    },
    isExhausted: (subject) => (find(subject, performance.now())?.used ?? 0) >= max,
  };
}
