import { createStore, type StoreApi } from 'zustand/vanilla';
import type { TextStorage } from '../platform.ts';
import { parseQueue, requeued, without, withState, type OutboxEntry } from './outbox-queue.ts';
import { storedRecord, type StoredRecord } from './stored-record.ts';

/** Messages that the server has not confirmed yet, in the order in which they were written; they outlive a reload. */
export interface OutboxState {
  entries: readonly OutboxEntry[];
  /** Reads again what other tabs may have changed. */
  refresh: () => void;
  add: (entry: OutboxEntry) => void;
  setState: (clientId: string, state: OutboxEntry['state']) => void;
  retry: (clientId: string) => void;
  remove: (clientId: string) => void;
  /** Erases all of them, in storage too. */
  erase: () => void;
}

/** Creates the store with what the user had not sent yet, here or in another tab. */
export function createOutboxStore(storage: TextStorage, username: string): StoreApi<OutboxState> {
  return createStore<OutboxState>()((set, get) => {
    const key = `parley.outbox.${username}`;
    const stored = storedRecord<readonly OutboxEntry[]>(storage, key, [], parseQueue);
    let record: StoredRecord<readonly OutboxEntry[]> | undefined = stored;
    // Other tabs write to the same record, so every change starts from what is stored.
    const change = (apply: (entries: readonly OutboxEntry[]) => readonly OutboxEntry[]): void => {
      const entries = apply(record ? withKnownStates(record.read(), get().entries) : get().entries);
      // Storage that is full or forbidden must not decide what is sent: memory does from then on.
      if (record && !record.write(entries)) record = undefined;
      set({ entries });
    };
    return {
      entries: stored.read(),
      refresh: () => {
        if (record) set({ entries: withKnownStates(record.read(), get().entries) });
      },
      add: (entry) => change((entries) => [...entries, entry]),
      setState: (clientId, state) => change((entries) => withState(entries, clientId, state)),
      retry: (clientId) => change((entries) => requeued(entries, clientId)),
      remove: (clientId) => change((entries) => without(entries, clientId)),
      erase: () => {
        stored.remove();
        set({ entries: [] });
      },
    };
  });
}

// Stored, "sending" reads as "waiting"; what this tab is sending it knows better.
function withKnownStates(
  stored: readonly OutboxEntry[],
  known: readonly OutboxEntry[],
): readonly OutboxEntry[] {
  const sending = new Set(
    known.filter(({ state }) => state === 'sending').map(({ clientId }) => clientId),
  );
  return stored.map((entry) =>
    entry.state === 'waiting' && sending.has(entry.clientId)
      ? { ...entry, state: 'sending' }
      : entry,
  );
}
