import { usernameKey } from '@parley/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { shallow } from 'zustand/vanilla/shallow';
import type { Platform } from '../platform.ts';
import type { StorageContent } from '../client-storage.ts';
import type { OpenedStorage } from '../storage/open-storage.ts';
import { createStoredCollection } from '../storage/stored-collection.ts';
import { parseChange, serializeChange, type Change, type NewChange } from './changes/change.ts';
import type { Mutation } from './mutation.ts';
import {
  isPending,
  parseEntry,
  serializeEntry,
  sortEntries,
  type OutboxEntry,
} from './outbox-entry.ts';

/** A chatroom created by a first message. */
export interface CreatedChatroom {
  readonly partnerName: string;
  readonly chatroomId: string;
  /** Content of the message. */
  readonly content: string;
}

/** A change of an entry. */
export type EntryChange = Partial<Omit<OutboxEntry, 'clientId' | 'to' | 'order'>>;

/** All that the user has made and the server has not confirmed. It survives a reload. */
export interface OutboxState {
  /** Messages and files, in sending order. */
  entries: readonly OutboxEntry[];
  /** Changes, in the order in which they were made, at most one per key. */
  changes: readonly Change[];
  /** Upload progress by `clientId`, from 0 to 1, while this tab uploads the file. */
  progress: Readonly<Record<string, number>>;
  /**
   * Chatrooms created by first messages since the client started, by the partner's `usernameKey`.
   */
  created: Readonly<Record<string, CreatedChatroom>>;
  /** Adds an entry at the end. */
  add: (entry: Omit<OutboxEntry, 'order'>) => void;
  /** Changes existing entries. */
  change: (clientIds: readonly string[], change: EntryChange) => void;
  /** Changes an entry and moves it to the end. */
  requeue: (clientId: string, change: EntryChange) => void;
  remove: (clientIds: readonly string[]) => void;
  /** Removes an entry that the server has stored in a chatroom. */
  confirm: (clientId: string, chatroomId: string) => void;
  /** Sets the progress of an upload, or removes it if undefined. */
  setProgress: (clientId: string, share: number | undefined) => void;
  /** Removes a user's chatroom from `created`. */
  forgetCreated: (partnerName: string) => void;
  /** Adds a change at the end. It replaces an earlier one with the same key. */
  addChange: (change: NewChange) => void;
  /** Removes a change, unless another one has replaced it, here or in another tab. */
  settleChange: (change: Change) => void;
}

/** Returns what is being sent or waits to be sent. */
export function getPending({ entries, changes }: OutboxState): readonly Mutation[] {
  return [...entries.filter(isPending), ...changes.filter(({ isSettled }) => !isSettled)];
}

/** The store of an outbox and its persistence. */
export interface OutboxStore {
  readonly store: StoreApi<OutboxState>;
  /** Resolves once what is stored is loaded. May stay pending forever. */
  readonly loaded: Promise<void>;
  /** Rereads what another tab may have changed: an entry by its `clientId`, or a change by its key. */
  refresh: (id: string) => Promise<void>;
  /** Erases all of the user, including what is stored. */
  erase: () => Promise<void>;
  /** Revokes the preview URLs. */
  stop: () => void;
}

interface OutboxStoreDeps {
  platform: Pick<Platform, 'createPreviewUrl' | 'revokePreviewUrl' | 'logFailure'>;
  username: string;
  opened: OpenedStorage;
  /** Called when something was loaded or changed by another tab. */
  onRead: () => void;
  /** Called when another tab has sent a change, with a function that drops it here. */
  onSettledElsewhere: (drop: () => void) => void;
}

/** Creates the store. What is stored is added once the storage is open. */
export function createOutboxStore(deps: OutboxStoreDeps): OutboxStore {
  const { platform, username, opened, onRead, onSettledElsewhere } = deps;
  const { revokePreviewUrl, logFailure } = platform;
  let isLoaded = false;

  /** Sets the entries and revokes the preview URLs of removed files. */
  function show(entries: readonly OutboxEntry[]): void {
    const before = store.getState().entries;
    store.setState({ entries });
    revokeRemovedPreviews(before, entries, revokePreviewUrl);
  }

  function withChange(clientIds: readonly string[], change: EntryChange, isLast: boolean): void {
    const entries = new Map(store.getState().entries.map((entry) => [entry.clientId, entry]));
    for (const clientId of clientIds) {
      const entry = entries.get(clientId);
      if (!entry) continue;
      const order = isLast ? nextOrder(store.getState().entries) : entry.order;
      const next: OutboxEntry = { ...entry, ...change, order };
      if (!isSame(entry, next)) stored.replace(clientId, serializeEntry(next));
      entries.set(clientId, next);
    }
    show(sortEntries(entries.values()));
  }

  const store = createStore<OutboxState>()((set, get) => ({
    entries: [],
    changes: [],
    progress: {},
    created: {},
    add: (added) => {
      const entry: OutboxEntry = { ...added, order: nextOrder(get().entries) };
      set(({ entries }) => ({ entries: [...entries, entry] }));
      void stored.put(entry.clientId, serializeEntry(entry));
    },
    change: (clientIds, change) => withChange(clientIds, change, false),
    requeue: (clientId, change) => withChange([clientId], change, true),
    remove: (clientIds) => {
      show(get().entries.filter(({ clientId }) => !clientIds.includes(clientId)));
      for (const clientId of clientIds) stored.delete(clientId);
    },
    confirm: (clientId, chatroomId) => {
      const entry = get().entries.find((each) => each.clientId === clientId);
      if (!entry) return;
      const { to, content } = entry;
      const { partnerName } = to;
      if (partnerName !== undefined) {
        const key = usernameKey(partnerName);
        const chatroom = { partnerName, chatroomId, content };
        set(({ created }) => ({ created: { ...created, [key]: chatroom } }));
      }
      get().remove([clientId]);
    },
    setProgress: (clientId, share) =>
      set(({ progress: { [clientId]: _before, ...others } }) => ({
        progress: share === undefined ? others : { ...others, [clientId]: share },
      })),
    forgetCreated: (partnerName) =>
      set((state) => {
        const { [usernameKey(partnerName)]: forgotten, ...created } = state.created;
        return forgotten ? { created } : state;
      }),
    addChange: (added) => {
      const { changes } = get();
      const change: Change = { ...added, order: nextOrder(changes) };
      set({ changes: [...changes.filter(({ key }) => key !== change.key), change] });
      void stored.put(change.key, serializeChange(change));
    },
    settleChange: ({ key, order }) => {
      drop(key, order);
      stored.deleteIf(key, (content) => parseChange(key, content)?.order === order);
    },
  }));

  /** Removes a change from memory. */
  function drop(key: string, order: number): void {
    const { changes } = store.getState();
    const left = changes.filter((each) => each.key !== key || each.order !== order);
    if (left.length < changes.length) store.setState({ changes: left });
  }

  function apply(read: ReadonlyMap<string, StorageContent | undefined>): void {
    const before = store.getState();
    const entries = new Map(before.entries.map((entry) => [entry.clientId, entry]));
    const changes = new Map(before.changes.map((change) => [change.key, change]));
    for (const [id, content] of read) {
      const change = content && parseChange(id, content);
      // An entry of another app version is left unchanged.
      if (change || changes.has(id)) readChange(changes, id, change);
      else readEntry(entries, id, content);
    }
    const hasEntries = !shallow([...entries.values()], before.entries);
    const hasChanges = !shallow([...changes.values()], before.changes);
    if (hasEntries) show(sortEntries(entries.values()));
    if (hasChanges) {
      store.setState({ changes: [...changes.values()].toSorted((a, b) => a.order - b.order) });
      const settled = [...changes.values()].filter(
        (each) => each.isSettled && !before.changes.includes(each),
      );
      for (const { key, order } of settled) onSettledElsewhere(() => drop(key, order));
    }
    if (!hasEntries && !hasChanges) return;
    if (!isLoaded) moveToEnd(read);
    onRead();
  }

  function readEntry(
    entries: Map<string, OutboxEntry>,
    clientId: string,
    content: StorageContent | undefined,
  ): void {
    const known = entries.get(clientId);
    const previewUrl = known?.file?.previewUrl;
    const entry = content && parseEntry(clientId, content, previewUrl ?? '');
    if (!content) entries.delete(clientId);
    else if (entry && !isSame(known, entry)) {
      const { file } = entry;
      const isNew = file && previewUrl === undefined;
      const shown = isNew && {
        file: { ...file, previewUrl: platform.createPreviewUrl(file.blob) },
      };
      entries.set(clientId, { ...entry, ...shown });
    }
  }

  /**
   * Moves entries that were written before the storage was open behind the stored entries,
   * regardless of their times.
   */
  function moveToEnd(read: ReadonlyMap<string, unknown>): void {
    const { entries, requeue } = store.getState();
    for (const { clientId } of entries) if (!read.has(clientId)) requeue(clientId, {});
  }

  const stored = createStoredCollection({
    opened,
    collection: 'outbox',
    username,
    keys: () => {
      const { entries, changes } = store.getState();
      return [...entries.map(({ clientId }) => clientId), ...changes.map(({ key }) => key)];
    },
    apply,
    logFailure,
  });

  async function watchLoaded(): Promise<void> {
    await stored.loaded;
    isLoaded = true;
  }
  void watchLoaded();

  return {
    store,
    loaded: stored.loaded,
    refresh: stored.refresh,
    erase: async () => {
      show([]);
      store.setState({ changes: [] });
      await stored.erase();
    },
    stop: () => {
      for (const { file } of store.getState().entries) {
        if (file) revokePreviewUrl(file.previewUrl);
      }
    },
  };
}

/** Returns the place after the last of what is in order. */
function nextOrder(ordered: readonly { readonly order: number }[]): number {
  return Math.max(Date.now(), (ordered.at(-1)?.order ?? 0) + 1);
}

/** Revokes the preview URLs of files that are no longer shown. */
function revokeRemovedPreviews(
  before: readonly OutboxEntry[],
  entries: readonly OutboxEntry[],
  revokePreviewUrl: Platform['revokePreviewUrl'],
): void {
  const shown = new Set(entries.map(({ file }) => file?.previewUrl));
  for (const { file } of before) {
    if (file && !shown.has(file.previewUrl)) revokePreviewUrl(file.previewUrl);
  }
}

/** Applies a stored change. One that another tab has deleted is settled. */
function readChange(changes: Map<string, Change>, key: string, stored: Change | undefined): void {
  const known = changes.get(key);
  if (stored && stored.order !== known?.order) changes.set(key, stored);
  else if (!stored && known && !known.isSettled) changes.set(key, { ...known, isSettled: true });
}

/**
 * Returns whether two entries are stored identically. Entries that this tab is sending are stored
 * as waiting.
 */
function isSame(a: OutboxEntry | undefined, b: OutboxEntry | undefined): boolean {
  const textOf = (entry: OutboxEntry | undefined): string | undefined =>
    entry && JSON.stringify(serializeEntry(entry).value);
  return textOf(a) === textOf(b);
}
