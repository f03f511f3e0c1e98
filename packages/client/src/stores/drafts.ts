import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Platform } from '../platform.ts';
import { legacyDraftsKey } from '../storage/legacy-records.ts';
import type { OpenedStorage } from '../storage/open-storage.ts';
import { createStoredCollection } from '../storage/stored-collection.ts';
import { createStoredRecord } from './stored-record.ts';

type Texts = Readonly<Record<string, string>>;

/** Unsent texts by chatroom, or by `new:<partner>` for first messages. They survive a reload. */
export interface DraftsState {
  drafts: Texts;
  setDraft: (draftKey: string, text: string) => void;
  /** Erases the drafts, including the stored ones. */
  erase: () => Promise<void>;
}

/** Creates the store. Stored drafts are added once the storage is open. */
export function createDraftsStore(
  { storage: localStorage, logFailure }: Pick<Platform, 'storage' | 'logFailure'>,
  username: string,
  opened: OpenedStorage,
): StoreApi<DraftsState> {
  // Earlier versions kept drafts in `localStorage`.
  const old = createStoredRecord<Texts>(localStorage, legacyDraftsKey(username), {}, parseTexts);
  const store = createStore<DraftsState>()((set, get) => ({
    drafts: old.read(),
    setDraft: (draftKey, text) => {
      const { drafts } = get();
      if ((drafts[draftKey] ?? '') === text) return;
      set({ drafts: withDraft(drafts, draftKey, text) });
      if (text === '') stored.delete(draftKey);
      else void stored.put(draftKey, { value: text });
    },
    erase: async () => {
      old.remove();
      set({ drafts: {} });
      await stored.erase();
    },
  }));
  const stored = createStoredCollection({
    opened,
    collection: 'drafts',
    username,
    keys: () => Object.keys(store.getState().drafts),
    apply: (read) => {
      let { drafts } = store.getState();
      for (const [draftKey, content] of read) {
        const text = content?.value;
        drafts = withDraft(drafts, draftKey, typeof text === 'string' ? text : '');
      }
      store.setState({ drafts });
    },
    logFailure,
  });

  async function migrateLegacy(): Promise<void> {
    const drafts = Object.entries(store.getState().drafts);
    const kept = await Promise.all(
      drafts.map(([draftKey, text]) => stored.put(draftKey, { value: text })),
    );
    if (kept.every(Boolean)) old.remove();
  }
  void migrateLegacy();

  return store;
}

function withDraft(drafts: Texts, draftKey: string, text: string): Texts {
  if ((drafts[draftKey] ?? '') === text) return drafts;
  const { [draftKey]: _before, ...others } = drafts;
  return text === '' ? others : { ...others, [draftKey]: text };
}

function parseTexts(value: unknown): Texts | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}
