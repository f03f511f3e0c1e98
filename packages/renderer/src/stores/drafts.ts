import { create } from 'zustand';
import { localRecord, type LocalRecord } from './local-record.ts';

type Texts = Readonly<Record<string, string>>;

/** What was typed and not sent, by room; it outlives a reload. */
export interface DraftsState {
  drafts: Texts;
  /** Takes up the drafts of the person who signed in. */
  open: (username: string) => void;
  /** Reads again what other tabs may have written. */
  refresh: () => void;
  setDraft: (chatId: string, text: string) => void;
  /** Leaves memory; what is stored stays for the next time. */
  reset: () => void;
  /** Leaves memory and storage. */
  forget: () => void;
}

/** The drafts of the person who is signed in. */
export const useDrafts = create<DraftsState>()((set, get) => {
  let record: LocalRecord<Texts> | undefined;
  return {
    drafts: {},
    open: (username) => {
      record = localRecord<Texts>(`parley.drafts.${username}`, {}, parseTexts);
      set({ drafts: record.read() });
    },
    refresh: () => {
      if (record) set({ drafts: record.read() });
    },
    setDraft: (chatId, text) => {
      if ((get().drafts[chatId] ?? '') === text) return;
      // Other tabs write to the same record, so every change starts from what is stored.
      const { [chatId]: _before, ...others } = record?.read() ?? get().drafts;
      const drafts = text === '' ? others : { ...others, [chatId]: text };
      // Storage that is full or forbidden must not take away what is typed: memory has it from then on.
      if (record && !record.write(drafts)) record = undefined;
      set({ drafts });
    },
    reset: () => {
      record = undefined;
      set({ drafts: {} });
    },
    forget: () => {
      record?.forget();
      get().reset();
    },
  };
});

function parseTexts(value: unknown): Texts | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}
