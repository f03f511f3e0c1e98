import { createStore, type StoreApi } from 'zustand/vanilla';
import { hasFields, isNumber, isText } from '../api/responses.ts';
import type { Platform } from '../platform.ts';
import type { StorageContent } from '../client-storage.ts';
import type { OpenedStorage } from '../storage/open-storage.ts';
import { createStoredCollection } from '../storage/stored-collection.ts';

/**
 * What the user wants a value on the server to be. It lasts until the server has confirmed it. Only the
 * latest mutation for a value counts.
 */
export interface Mutation {
  /** Identifies the value: a kind and a colon, such as `reaction:`, followed by anything. */
  readonly key: string;
  /** The chatroom that the value belongs to. */
  readonly chatroomId: string;
  /** Any JSON value, which another version of the app may have stored. */
  readonly value: unknown;
  /** Place in the sending order. Unique, and higher with each mutation for the same value. */
  readonly order: number;
}

/** All mutations that the server has not confirmed. They survive a reload. */
export interface MutationsState {
  /** In sending order, at most one per key. */
  mutations: readonly Mutation[];
  /** Adds a mutation at the end. It replaces an earlier one with the same key. */
  set: (key: string, chatroomId: string, value: unknown) => void;
  /** Removes a mutation, unless another one has replaced it, here or in another tab. */
  settle: (mutation: Mutation) => void;
  /** Removes all mutations for a chatroom that the user no longer has. */
  discard: (chatroomId: string) => void;
}

/** The store of mutations and its persistence. */
export interface MutationsStore {
  readonly store: StoreApi<MutationsState>;
  /** Rereads a mutation that another tab may have changed. */
  readonly refresh: (key: string) => Promise<void>;
  /** Resolves once the stored mutations are loaded. May stay pending forever. */
  readonly loaded: Promise<void>;
  /** Erases the user's mutations, including the stored ones. */
  readonly erase: () => Promise<void>;
}

interface MutationsStoreDeps {
  platform: Pick<Platform, 'logFailure'>;
  username: string;
  opened: OpenedStorage;
}

/** Creates the store. Stored mutations are added once the storage is open. */
export function createMutationsStore(deps: MutationsStoreDeps): MutationsStore {
  const { platform, username, opened } = deps;
  const store = createStore<MutationsState>()((set, get) => {
    const remove = (removed: ReadonlySet<string>): void =>
      set({ mutations: get().mutations.filter(({ key }) => !removed.has(key)) });
    return {
      mutations: [],
      set: (key, chatroomId, value) => {
        const { mutations } = get();
        const order = Math.max(Date.now(), (mutations.at(-1)?.order ?? 0) + 1);
        const mutation: Mutation = { key, chatroomId, value, order };
        set({ mutations: [...mutations.filter((each) => each.key !== key), mutation] });
        void stored.put(key, serializeMutation(mutation));
      },
      settle: ({ key, order }) => {
        if (get().mutations.some((each) => each.key === key && each.order === order)) {
          remove(new Set([key]));
        }
        stored.deleteIf(key, (content) => parseMutation(key, content)?.order === order);
      },
      discard: (chatroomId) => {
        const discarded = get().mutations.filter((mutation) => mutation.chatroomId === chatroomId);
        if (discarded.length === 0) return;
        remove(new Set(discarded.map(({ key }) => key)));
        for (const { key } of discarded) stored.delete(key);
      },
    };
  });
  const stored = createStoredCollection({
    opened,
    collection: 'intents',
    username,
    keys: () => store.getState().mutations.map(({ key }) => key),
    apply: (read) => {
      const mutations = store.getState().mutations.filter(({ key }) => !read.has(key));
      for (const [key, content] of read) {
        const mutation = content && parseMutation(key, content);
        if (mutation) mutations.push(mutation);
      }
      store.setState({ mutations: mutations.toSorted((a, b) => a.order - b.order) });
    },
    logFailure: platform.logFailure,
  });

  return {
    store,
    refresh: stored.refresh,
    loaded: stored.loaded,
    erase: async () => {
      store.setState({ mutations: [] });
      await stored.erase();
    },
  };
}

function serializeMutation({ chatroomId, value, order }: Mutation): StorageContent {
  return { value: { chatroomId, value, order } };
}

function parseMutation(key: string, { value }: StorageContent): Mutation | undefined {
  const isMutation = hasFields(value, { chatroomId: isText, order: isNumber });
  return isMutation ? { ...(value as Omit<Mutation, 'key'>), key } : undefined;
}
