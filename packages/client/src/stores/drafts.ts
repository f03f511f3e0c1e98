import { createStore, type StoreApi } from 'zustand/vanilla';
import type { TextStorage } from '../platform.ts';
import { storedRecord, type StoredRecord } from './stored-record.ts';

type Texts = Readonly<Record<string, string>>;

/** What was typed and not sent, by chatroom; it outlives a reload. */
export interface DraftsState {
  drafts: Texts;
  /** Reads again what other tabs may have written. */
  refresh: () => void;
  setDraft: (chatroomId: string, text: string) => void;
  /** Erases the drafts, in storage too. */
  erase: () => void;
}

/** Creates the store with the drafts that a user left in this storage. */
export function createDraftsStore(storage: TextStorage, username: string): StoreApi<DraftsState> {
  return createStore<DraftsState>()((set, get) => {
    const stored = storedRecord<Texts>(storage, `parley.drafts.${username}`, {}, parseTexts);
    let record: StoredRecord<Texts> | undefined = stored;
    return {
      drafts: stored.read(),
      refresh: () => {
        if (record) set({ drafts: record.read() });
      },
      setDraft: (chatroomId, text) => {
        if ((get().drafts[chatroomId] ?? '') === text) return;
        // Other tabs write to the same record, so every change starts from what is stored.
        const { [chatroomId]: _before, ...others } = record?.read() ?? get().drafts;
        const drafts = text === '' ? others : { ...others, [chatroomId]: text };
        // Storage that is full or forbidden must not take away what is typed: memory has it from then on.
        if (record && !record.write(drafts)) record = undefined;
        set({ drafts });
      },
      erase: () => {
        stored.remove();
        set({ drafts: {} });
      },
    };
  });
}

function parseTexts(value: unknown): Texts | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}
