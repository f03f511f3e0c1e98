import { create } from 'zustand';
import { localRecord, type LocalRecord } from './local-record.ts';
import { parseQueue, requeued, without, withState, type OutboxEntry } from './outbox-queue.ts';

/** Messages that the server has not confirmed yet, in the order in which they were written; they outlive a reload. */
export interface OutboxState {
  entries: readonly OutboxEntry[];
  /** Takes up what the person who signed in had not sent, here or in another tab. */
  open: (username: string) => void;
  /** Reads again what other tabs may have changed. */
  refresh: () => void;
  add: (entry: OutboxEntry) => void;
  setState: (clientId: string, state: OutboxEntry['state']) => void;
  retry: (clientId: string) => void;
  remove: (clientId: string) => void;
  /** Leaves memory; what is stored is sent after the next sign-in. */
  reset: () => void;
  /** Leaves memory and storage. */
  forget: () => void;
}

/** What the person who is signed in has not sent yet. */
export const useOutbox = create<OutboxState>()((set, get) => {
  let record: LocalRecord<readonly OutboxEntry[]> | undefined;
  // Other tabs write to the same record, so every change starts from what is stored.
  const change = (apply: (entries: readonly OutboxEntry[]) => readonly OutboxEntry[]): void => {
    const entries = apply(record ? withKnownStates(record.read(), get().entries) : get().entries);
    // Storage that is full or forbidden must not decide what is sent: memory does from then on.
    if (record && !record.write(entries)) record = undefined;
    set({ entries });
  };
  return {
    entries: [],
    open: (username) => {
      record = localRecord<readonly OutboxEntry[]>(`parley.outbox.${username}`, [], parseQueue);
      set({ entries: record.read() });
    },
    refresh: () => {
      if (record) set({ entries: withKnownStates(record.read(), get().entries) });
    },
    add: (entry) => change((entries) => [...entries, entry]),
    setState: (clientId, state) => change((entries) => withState(entries, clientId, state)),
    retry: (clientId) => change((entries) => requeued(entries, clientId)),
    remove: (clientId) => change((entries) => without(entries, clientId)),
    reset: () => {
      record = undefined;
      set({ entries: [] });
    },
    forget: () => {
      record?.forget();
      get().reset();
    },
  };
});

// Stored, «sending» reads as «waiting»; what this tab is sending it knows better.
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
