import { subscribe } from 'node:diagnostics_channel';
import fc from 'fast-check';

/** What takes most of the time of tests, as counts, which do not depend on the machine. */
export interface Costs {
  /** Servers that listened, of any kind. */
  servers: number;
  /** Processes that were started. */
  processes: number;
  /** Passwords that were hashed or verified. */
  hashes: number;
  /** Cases of random tests. */
  cases: number;
}

/** The costs of a test file so far. */
export const costs: Costs = { servers: 0, processes: 0, hashes: 0, cases: 0 };

// https://nodejs.org/api/diagnostics_channel.html#built-in-channels
subscribe('tracing:net.server.listen:asyncStart', () => (costs.servers += 1));
subscribe('child_process', () => (costs.processes += 1));
fc.installGlobalPlugin(() => ({
  onAllRunsComplete: ({ numRuns }) => {
    costs.cases += numRuns;
  },
}));

declare module 'vitest' {
  interface TaskMeta {
    costs?: Costs;
  }
}
