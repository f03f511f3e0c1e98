import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Platform } from '../platform.ts';
import type { OpenedStorage } from '../storage/open-storage.ts';
import { createStoredCollection } from '../storage/stored-collection.ts';
import { isQuoteReference, type QuoteReference } from './quotes.ts';

type Texts = Readonly<Record<string, string>>;

/** Begins the keys of records with the message to which a draft replies. Earlier versions ignore them. */
const REPLY_PREFIX = 'reply:';

/** Unsent texts by chatroom, or by `new:<partner>` for first messages. They survive a reload. */
export interface DraftsState {
  drafts: Texts;
  /** The messages to which the drafts reply. */
  replies: Readonly<Record<string, QuoteReference>>;
  setDraft: (draftKey: string, text: string) => void;
  /**
   * Adds a text below a draft, unless the draft ends with it, because it may be added twice. It is stored once the
   * stored drafts are loaded, as it would replace a stored one. Resolves once the text is stored, or cannot be.
   */
  append: (draftKey: string, text: string) => Promise<void>;
  /** Sets the message to which a draft replies, or none if undefined. */
  setReply: (draftKey: string, replyTo: QuoteReference | undefined) => void;
  /** Erases the drafts, including the stored ones. */
  erase: () => Promise<void>;
}

/** Creates the store. Stored drafts are added once the storage is open. */
export function createDraftsStore(
  { logFailure }: Pick<Platform, 'logFailure'>,
  username: string,
  opened: OpenedStorage,
): StoreApi<DraftsState> {
  const store = createStore<DraftsState>()((set, get) => ({
    drafts: {},
    replies: {},
    setDraft: (draftKey, text) => {
      const { drafts } = get();
      if ((drafts[draftKey] ?? '') === text) return;
      set({ drafts: withDraft(drafts, draftKey, text) });
      if (text === '') stored.delete(draftKey);
      else void stored.put(draftKey, { value: text });
    },
    append: async (draftKey, text) => {
      const show = (): string => {
        const value = withLine(get().drafts[draftKey] ?? '', text);
        set({ drafts: withDraft(get().drafts, draftKey, value) });
        return value;
      };
      show();
      await stored.loaded;
      await stored.put(draftKey, { value: show() });
    },
    setReply: (draftKey, replyTo) => {
      const { replies } = get();
      if (replies[draftKey]?.messageId === replyTo?.messageId) return;
      const value = replyTo && { messageId: replyTo.messageId, seq: replyTo.seq };
      set({ replies: withEntry(replies, draftKey, value) });
      if (value) void stored.put(replyKey(draftKey), { value });
      else stored.delete(replyKey(draftKey));
    },
    erase: async () => {
      set({ drafts: {}, replies: {} });
      await stored.erase();
    },
  }));
  const stored = createStoredCollection({
    opened,
    collection: 'drafts',
    username,
    keys: () => {
      const { drafts, replies } = store.getState();
      return [...Object.keys(drafts), ...Object.keys(replies).map(replyKey)];
    },
    apply: (read) => {
      let { drafts, replies } = store.getState();
      for (const [draftKey, content] of read) {
        const text = content?.value;
        if (draftKey.startsWith(REPLY_PREFIX)) {
          const replyTo = isQuoteReference(text) ? (text as QuoteReference) : undefined;
          replies = withEntry(replies, draftKey.slice(REPLY_PREFIX.length), replyTo);
          continue;
        }
        drafts = withDraft(drafts, draftKey, typeof text === 'string' ? text : '');
      }
      store.setState({ drafts, replies });
    },
    logFailure,
  });

  return store;
}

/** Returns a text with another one below, unless it ends with that. */
function withLine(written: string, text: string): string {
  if (`\n${written}`.endsWith(`\n${text}`)) return written;
  return written === '' ? text : `${written}\n${text}`;
}

/** Returns the key of the record of the message to which a draft replies. */
function replyKey(draftKey: string): string {
  return `${REPLY_PREFIX}${draftKey}`;
}

function withDraft(drafts: Texts, draftKey: string, text: string): Texts {
  return (drafts[draftKey] ?? '') === text
    ? drafts
    : withEntry(drafts, draftKey, text === '' ? undefined : text);
}

function withEntry<T>(
  entries: Readonly<Record<string, T>>,
  key: string,
  value: T | undefined,
): Readonly<Record<string, T>> {
  const { [key]: _before, ...others } = entries;
  return value === undefined ? others : { ...others, [key]: value };
}
