import { create } from 'zustand';
import { localRecord, type LocalRecord } from './local-record.ts';

type Texts = Readonly<Record<string, string>>;

/** What was typed and not sent, by room; it outlives a reload. */
export interface DraftsState {
  drafts: Texts;
  /** Takes up the drafts of the person who signed in. */
  open: (username: string) => void;
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
    setDraft: (chatId, text) => {
      const { [chatId]: before = '', ...others } = get().drafts;
      if (before === text) return;
      const drafts = text === '' ? others : { ...others, [chatId]: text };
      set({ drafts });
      record?.write(drafts);
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
