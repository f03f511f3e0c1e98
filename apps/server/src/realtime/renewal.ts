import type { Connections } from './connections.ts';
import type { LiveSocket } from './live-socket.ts';

/** Closes all connections, so that their clients reconnect and resync. */
export interface Renewal {
  start(): void;
  stop(): void;
}

/** Number of steps, and milliseconds between them. */
const STEPS = 100;
const STEP_INTERVAL = 20;

/**
 * Creates a renewal. It closes connections step by step, over two seconds if there are many,
 * because the clients of all servers may have to resync at the same time.
 */
export function createRenewal(connections: Pick<Connections, 'all'>): Renewal {
  const outdated = new Set<LiveSocket>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function stop(): void {
    clearInterval(timer);
    outdated.clear();
  }

  function closeSome(count: number): void {
    let closed = 0;
    for (const connection of outdated) {
      if (closed === count) return;
      closed += 1;
      outdated.delete(connection);
      connection.close('eventsMissed');
    }
    stop();
  }

  return {
    start() {
      for (const connection of connections.all()) outdated.add(connection);
      const count = Math.max(1, Math.ceil(outdated.size / STEPS));
      clearInterval(timer);
      timer = setInterval(() => closeSome(count), STEP_INTERVAL);
    },
    stop,
  };
}
