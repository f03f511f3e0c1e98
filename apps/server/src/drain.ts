/** Lets load balancers use other servers before this one stops. */
export interface Drain {
  readonly hasStarted: boolean;
  /** Records that the readiness of this server was requested. */
  recordCheck(): void;
  /** Starts to report this server as not ready. Resolves once load balancers have noticed. */
  start(): Promise<void>;
}

/** Milliseconds within which a load balancer repeats its check. Caddy's example takes 2,000. */
const CHECK_INTERVAL_MAX = 3_000;
/** Milliseconds after a check for which a load balancer may rely on it. */
const CHECK_LIFETIME = 10_000;

/**
 * Creates the drain of a server. Without other servers, or if nothing has asked for its readiness,
 * it takes no time: load balancers that do not ask notice that a server accepts no connections.
 */
export function createDrain(hasOthers: boolean): Drain {
  let hasStarted = false;
  let checkedAt = -Infinity;
  return {
    get hasStarted() {
      return hasStarted;
    },
    recordCheck() {
      checkedAt = performance.now();
    },
    async start() {
      hasStarted = true;
      const isChecked = performance.now() - checkedAt < CHECK_LIFETIME;
      if (!hasOthers || !isChecked) return;
      await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MAX));
    },
  };
}
