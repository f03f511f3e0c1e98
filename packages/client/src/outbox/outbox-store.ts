import { usernameKey } from '@parley/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { shallow } from 'zustand/vanilla/shallow';
import type { Platform } from '../platform.ts';
import type { StorageContent } from '../client-storage.ts';
import type { OpenedStorage } from '../storage/open-storage.ts';
import { createStoredCollection } from '../storage/stored-collection.ts';
import { goesBeyond } from './changes/change-types.ts';
import { parseChange, serializeChange, type Change, type NewChange } from './changes/change.ts';
import { idOf, isChange, sortMutations, type Mutation } from './mutation.ts';
import { isPending, parseEntry, serializeEntry, type OutboxEntry } from './outbox-entry.ts';

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
  /** Chatrooms created by first messages since the client started, by the partner's `usernameKey`. */
  created: Readonly<Record<string, CreatedChatroom>>;
  /** Adds an entry at the end. */
  add: (entry: Omit<OutboxEntry, 'order'>) => void;
  /** Changes existing entries. */
  change: (clientIds: readonly string[], change: EntryChange) => void;
  /** Changes an entry and moves it to the end. */
  requeue: (clientId: string, change: EntryChange) => void;
  remove: (clientIds: readonly string[]) => void;
  /** Puts another entry in the place of one. */
  replace: (clientId: string, entry: Omit<OutboxEntry, 'order'>) => void;
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
}

interface OutboxStoreDeps {
  platform: Pick<Platform, 'createPreviewUrl' | 'revokePreviewUrl' | 'logFailure'>;
  username: string;
  opened: OpenedStorage;
  signal: AbortSignal;
  /** Called when something was loaded or changed by another tab. */
  onRead: () => void;
  /** Called when another tab has sent a change, which is still shown here until it is settled. */
  onSettledElsewhere: (change: Change) => void;
}

/** Creates the store. What is stored is added once the storage is open. */
export function createOutboxStore(deps: OutboxStoreDeps): OutboxStore {
  const { platform, username, opened, signal, onRead, onSettledElsewhere } = deps;
  let isLoaded = false;

  /** Sets the entries and revokes the preview URLs of removed files. */
  function show(entries: readonly OutboxEntry[]): void {
    const before = previewsOf(store.getState().entries);
    store.setState({ entries });
    const after = previewsOf(entries);
    for (const url of before) if (!after.has(url)) platform.revokePreviewUrl(url);
  }

  function changeEntries(
    clientIds: readonly string[],
    change: EntryChange,
    newOrder?: number,
  ): void {
    const toChanged = (entry: OutboxEntry): OutboxEntry => {
      const next = { ...entry, ...change, order: newOrder ?? entry.order };
      if (!isSame(entry, next)) stored.replace(next.clientId, serializeEntry(next));
      return next;
    };
    const { entries } = store.getState();
    const changed = entries.map((entry) =>
      clientIds.includes(entry.clientId) ? toChanged(entry) : entry,
    );
    show(sortMutations(changed));
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
    change: changeEntries,
    requeue: (clientId, change) => changeEntries([clientId], change, nextOrder(get().entries)),
    remove: (clientIds) => {
      show(get().entries.filter(({ clientId }) => !clientIds.includes(clientId)));
      for (const clientId of clientIds) stored.delete(clientId);
    },
    replace: (clientId, other) => {
      const replaced = get().entries.find((each) => each.clientId === clientId);
      if (!replaced) return;
      const entry: OutboxEntry = { ...other, order: replaced.order };
      void stored.put(entry.clientId, serializeEntry(entry));
      stored.delete(clientId);
      show(get().entries.map((each) => (each === replaced ? entry : each)));
    },
    confirm: (clientId, chatroomId) => {
      const entry = get().entries.find((each) => each.clientId === clientId);
      if (!entry) return;
      const { to, content } = entry;
      const { partnerName } = to;
      if (partnerName !== undefined) {
        const chatroom = { partnerName, chatroomId, content };
        set(({ created }) => ({ created: { ...created, [usernameKey(partnerName)]: chatroom } }));
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
    settleChange: (settled) => {
      const { key, isSettled } = settled;
      const { changes } = get();
      const left = changes.filter((each) => !isSameChange(each, settled));
      if (left.length < changes.length) set({ changes: left });
      if (isSettled) return;
      stored.deleteIf(key, (content) => {
        const change = parseChange(key, content);
        return change !== undefined && isSameChange(change, settled);
      });
    },
  }));

  function apply(read: ReadonlyMap<string, StorageContent | undefined>): void {
    const before = store.getState();
    const known = [...before.entries, ...before.changes];
    const mutations = new Map<string, Mutation>(known.map((each) => [idOf(each), each]));
    for (const [id, content] of read) {
      const current = readMutation(id, content, mutations.get(id));
      if (current) mutations.set(id, current);
      else mutations.delete(id);
    }
    const sorted = sortMutations(mutations.values());
    const changes = sorted.filter(isChange);
    const entries = sorted.filter((each): each is OutboxEntry => !isChange(each));
    if (!shallow(entries, before.entries)) show(entries);
    if (!shallow(changes, before.changes)) store.setState({ changes });
    if (store.getState() === before) return;
    for (const change of changes) {
      if (change.isSettled && !before.changes.includes(change)) onSettledElsewhere(change);
    }
    if (!isLoaded) moveToEnd(read);
    onRead();
  }

  /** Returns the current state of a mutation that was read, or undefined if there is none any more. */
  function readMutation(
    id: string,
    content: StorageContent | undefined,
    known: Mutation | undefined,
  ): Mutation | undefined {
    const change = content && parseChange(id, content);
    if (change) return keepFurther(known, change);
    // Another tab has sent it.
    if (known && isChange(known)) return known.isSettled ? known : { ...known, isSettled: true };
    if (!content) return undefined;
    const previewUrl = known?.file?.previewUrl;
    const entry = parseEntry(id, content, previewUrl ?? '');
    // An entry of another app version is left unchanged.
    if (!entry || (known && isSame(known, entry))) return known;
    const { file } = entry;
    if (!file || previewUrl !== undefined) return entry;
    return { ...entry, file: { ...file, previewUrl: platform.createPreviewUrl(file.blob) } };
  }

  /** Returns which of two changes counts, and stores the known one again if another tab has replaced it. */
  function keepFurther(known: Mutation | undefined, change: Change): Mutation {
    if (!known || !isChange(known)) return change;
    if (isSameChange(known, change)) return known;
    if (!goesBeyond(known, change)) return change;
    if (!known.isSettled) void stored.put(known.key, serializeChange(known));
    return known;
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
      return [...entries, ...changes].map(idOf);
    },
    apply,
    logFailure: platform.logFailure,
  });

  async function watchLoaded(): Promise<void> {
    await stored.loaded;
    isLoaded = true;
  }
  void watchLoaded();
  signal.addEventListener('abort', () =>
    previewsOf(store.getState().entries).forEach((url) => platform.revokePreviewUrl(url)),
  );

  return {
    store,
    loaded: stored.loaded,
    refresh: stored.refresh,
    erase: async () => {
      show([]);
      store.setState({ changes: [] });
      await stored.erase();
    },
  };
}

/** Returns the place after the last of what is in order. */
function nextOrder(ordered: readonly Mutation[]): number {
  return Math.max(Date.now(), (ordered.at(-1)?.order ?? 0) + 1);
}

function previewsOf(entries: readonly OutboxEntry[]): Set<string> {
  return new Set(entries.flatMap(({ file }) => file?.previewUrl ?? []));
}

/** Returns whether two changes are the same. Two tabs may make different ones of a key in the same millisecond. */
function isSameChange(a: Change, b: Change): boolean {
  return (
    a.key === b.key && a.order === b.order && JSON.stringify(a.value) === JSON.stringify(b.value)
  );
}

/**
 * Returns whether two entries are stored identically. Entries that this tab is sending are stored
 * as waiting.
 */
function isSame(a: OutboxEntry, b: OutboxEntry): boolean {
  const [one, other] = [a, b].map((entry) => JSON.stringify(serializeEntry(entry).value));
  return one === other;
}
