import { cleanText } from '@parley/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { shallow } from 'zustand/vanilla/shallow';
import { hasFields, isText } from '../api/responses.ts';
import type { StorageContent } from '../client-storage.ts';
import type { Platform } from '../platform.ts';
import type { OpenedStorage } from '../storage/open-storage.ts';
import { createStoredCollection } from '../storage/stored-collection.ts';
import { isQuoteReference, type QuoteReference } from '../stores/quotes.ts';
import { isFileEntry, type FileEntry } from './outbox-entry.ts';
import type { OutboxState } from './outbox-store.ts';

/** What the user has begun and not sent in a chatroom. It survives a reload. */
export interface Draft {
  readonly text: string;
  /** The message that it replies to. */
  readonly replyTo?: QuoteReference | undefined;
  /** An edit that is not finished. It comes before the rest. */
  readonly editing?: UnfinishedEdit | undefined;
  /** Images and recordings, in sending order. The outbox keeps their files, so that sending does not copy them. */
  readonly attachments: readonly FileEntry[];
}

/** The message that the user is editing. It is stored once the text is another one. */
export interface UnfinishedEdit extends QuoteReference {
  /** Text of the message when the user began. */
  readonly original: string;
  readonly text: string;
}

/** A change of a draft. */
export type DraftChange = Partial<Omit<Draft, 'attachments'>>;

/** The drafts by chatroom, or by `new:<partner>` for first messages. */
export interface DraftsState {
  drafts: Readonly<Record<string, Draft>>;
  /** Changes a draft. A function is called again with the stored draft if that is not loaded yet. */
  change: (draftKey: string, change: DraftChange | ((draft: Draft) => DraftChange)) => void;
  /**
   * Adds a text below a draft, unless the draft ends with it, because it may be added twice. Resolves once the text
   * is stored, or cannot be.
   */
  append: (draftKey: string, text: string) => Promise<void>;
  /** Removes everything but the attachments. */
  discard: (draftKey: string) => void;
  /** Erases the drafts, including the stored ones. */
  erase: () => Promise<void>;
}

const EMPTY: Draft = { text: '', attachments: [] };

/** Returns a draft, which may be empty. */
export function selectDraft({ drafts }: Pick<DraftsState, 'drafts'>, draftKey: string): Draft {
  return drafts[draftKey] ?? EMPTY;
}

/** Creates the store. Stored drafts are added once the storage is open. */
export function createDraftsStore(
  { logFailure }: Pick<Platform, 'logFailure'>,
  username: string,
  opened: OpenedStorage,
  outbox: Pick<StoreApi<OutboxState>, 'subscribe'>,
): StoreApi<DraftsState> {
  /** Changes that were made before the stored drafts were loaded, which they apply to as well. */
  const early = new Map<string, ((draft: Draft) => DraftChange)[]>();
  let isLoaded = false;

  function show(draftKey: string, draft: Draft): void {
    const { [draftKey]: _before, ...others } = store.getState().drafts;
    store.setState({ drafts: isEmpty(draft) ? others : { ...others, [draftKey]: draft } });
  }

  async function save(draftKey: string): Promise<void> {
    const content = serializeDraft(selectDraft(store.getState(), draftKey));
    if (content) await stored.put(draftKey, content);
    else stored.delete(draftKey);
  }

  /** Discards the drafts of first messages that have created a chatroom. */
  function discardSent(created: OutboxState['created']): void {
    const { drafts, change } = store.getState();
    for (const { partnerName, content } of Object.values(created)) {
      const draftKey = `new:${partnerName}`;
      const { text } = selectDraft({ drafts }, draftKey);
      if (cleanText(text) === content) change(draftKey, { text: '' });
    }
  }

  const store = createStore<DraftsState>()((_set, get) => ({
    drafts: {},
    change: (draftKey, change) => {
      const before = selectDraft(get(), draftKey);
      const toChange = typeof change === 'function' ? change : () => change;
      const draft = withChange(before, toChange);
      if (!isLoaded) early.set(draftKey, [...(early.get(draftKey) ?? []), toChange]);
      if (shallow(before, draft) || (isEmpty(before) && isEmpty(draft))) return;
      show(draftKey, draft);
      if (isLoaded) void save(draftKey);
    },
    append: async (draftKey, text) => {
      get().change(draftKey, (draft) => ({ text: withLine(draft.text, text) }));
      await loaded;
      await save(draftKey);
    },
    discard: (draftKey) =>
      get().change(draftKey, { text: '', replyTo: undefined, editing: undefined }),
    erase: async () => {
      early.clear();
      store.setState({ drafts: {} });
      await stored.erase();
    },
  }));

  const stored = createStoredCollection({
    opened,
    collection: 'drafts',
    username,
    keys: () => Object.keys(store.getState().drafts),
    apply: (read) => {
      for (const [draftKey, content] of read) {
        const { attachments, editing } = selectDraft(store.getState(), draftKey);
        const unchanged = editing && !isChanged(editing) ? editing : undefined;
        const draft = { editing: unchanged, ...parseDraft(content?.value), attachments };
        show(draftKey, (early.get(draftKey) ?? []).reduce(withChange, draft));
      }
    },
    logFailure,
  });

  async function watchLoaded(): Promise<void> {
    await stored.loaded;
    isLoaded = true;
    for (const draftKey of early.keys()) void save(draftKey);
    early.clear();
  }
  const loaded = watchLoaded();

  outbox.subscribe(({ entries, created }, before) => {
    if (created !== before.created) discardSent(created);
    if (entries === before.entries) return;
    const chosen = entries.filter(({ state }) => state === 'draft').filter(isFileEntry);
    const files = Map.groupBy(chosen, ({ to }) => to.chatroomId);
    for (const draftKey of new Set([...Object.keys(store.getState().drafts), ...files.keys()])) {
      const draft = selectDraft(store.getState(), draftKey);
      const attachments = files.get(draftKey) ?? EMPTY.attachments;
      if (!shallow(draft.attachments, attachments)) show(draftKey, { ...draft, attachments });
    }
  });
  return store;
}

function withChange(draft: Draft, toChange: (draft: Draft) => DraftChange): Draft {
  return { ...draft, ...toChange(draft) };
}

/** Returns a text with another one below, unless it ends with that. */
function withLine(written: string, text: string): string {
  if (`\n${written}`.endsWith(`\n${text}`)) return written;
  return written === '' ? text : `${written}\n${text}`;
}

function isChanged({ original, text }: UnfinishedEdit): boolean {
  return text !== original;
}

function isEmpty({ text, replyTo, editing, attachments }: Draft): boolean {
  return text === '' && !replyTo && !editing && attachments.length === 0;
}

/** Returns the content to store for a draft; undefined if it contains nothing to store. */
function serializeDraft({ text, replyTo, editing }: Draft): StorageContent | undefined {
  const changed = editing && isChanged(editing) ? editing : undefined;
  if (text === '' && !replyTo && !changed) return undefined;
  return {
    value: {
      text,
      ...(replyTo && { replyTo: { messageId: replyTo.messageId, seq: replyTo.seq } }),
      ...(changed && { editing: changed }),
    },
  };
}

/** Parses a stored draft. Leaves out what another version of the app has stored differently. */
function parseDraft(value: unknown): Omit<Draft, 'attachments'> {
  // Earlier versions stored only texts.
  if (typeof value === 'string') return { text: value };
  if (!hasFields(value, { text: isText })) return { text: '' };
  const { text, replyTo, editing } = value as Draft;
  return {
    text,
    ...(isQuoteReference(replyTo) && { replyTo }),
    ...(isQuoteReference(editing) &&
      hasFields(editing, { original: isText, text: isText }) && { editing }),
  };
}
