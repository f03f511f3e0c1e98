import type { StoreApi } from 'zustand/vanilla';
import { runLater } from '../../run-later.ts';
import type { ConnectionState } from '../../stores/connection.ts';
import type { ClientTiming } from '../../timing.ts';

/** Changes that another tab has sent, which are shown here until this tab has learned of the outcome. */
export interface SettledChanges {
  /** Adds a change by the function that drops it. */
  add: (drop: () => void) => void;
  /** Drops all, as this tab has just fetched what it missed. */
  dropAll: () => void;
}

interface SettledChangesDeps {
  connection: StoreApi<ConnectionState>;
  /** Aborted once the client is disposed of. */
  signal: AbortSignal;
  timing: Pick<ClientTiming, 'settledShown'>;
}

/** Creates an empty collection. With a live connection, a change is dropped once its live event must have arrived. */
export function createSettledChanges({
  connection,
  signal,
  timing,
}: SettledChangesDeps): SettledChanges {
  const drops = new Set<() => void>();
  return {
    add: (drop) => {
      drops.add(drop);
      runLater(signal, timing.settledShown, () => {
        if (connection.getState().status === 'online' && drops.delete(drop)) drop();
      });
    },
    dropAll: () => {
      for (const drop of drops) drop();
      drops.clear();
    },
  };
}
