import { createStore, type StoreApi } from 'zustand/vanilla';
import { hasFields, isNumber, isText } from '../api/responses.ts';
import type { Platform } from '../platform.ts';
import type { StorageContent } from '../client-storage.ts';
import type { OpenedStorage } from '../storage/open-storage.ts';
import { createStoredCollection } from '../storage/stored-collection.ts';

/**
 * What the user wants a value on the server to be. It lasts until the server has confirmed it. Only the
 * latest intent for a value counts.
 */
export interface Intent {
  /** Identifies the value: a kind and a colon, such as `reaction:`, followed by anything. */
  readonly key: string;
  /** The chatroom that the value belongs to. */
  readonly chatroomId: string;
  /** Any JSON value, which another version of the app may have stored. */
  readonly value: unknown;
  /** Place in the sending order. Unique, and higher with each intent for the same value. */
  readonly order: number;
}

/** All intents that the server has not confirmed. They survive a reload. */
export interface IntentsState {
  /** In sending order, at most one per key. */
  intents: readonly Intent[];
  /** Adds an intent at the end. It replaces an earlier one with the same key. */
  set: (key: string, chatroomId: string, value: unknown) => void;
  /** Removes an intent, unless another one has replaced it, here or in another tab. */
  settle: (intent: Intent) => void;
  /** Removes all intents for a chatroom that the user no longer has. */
  discard: (chatroomId: string) => void;
}

/** The store of intents and its persistence. */
export interface IntentsStore {
  readonly store: StoreApi<IntentsState>;
  /** Rereads an intent that another tab may have changed. */
  readonly refresh: (key: string) => Promise<void>;
  /** Resolves once the stored intents are loaded. May stay pending forever. */
  readonly loaded: Promise<void>;
  /** Erases the user's intents, including the stored ones. */
  readonly erase: () => Promise<void>;
}

interface IntentsStoreDeps {
  platform: Pick<Platform, 'logFailure'>;
  username: string;
  opened: OpenedStorage;
}

/** Creates the store. Stored intents are added once the storage is open. */
export function createIntentsStore(deps: IntentsStoreDeps): IntentsStore {
  const { platform, username, opened } = deps;
  const store = createStore<IntentsState>()((set, get) => {
    const remove = (removed: ReadonlySet<string>): void =>
      set({ intents: get().intents.filter(({ key }) => !removed.has(key)) });
    return {
      intents: [],
      set: (key, chatroomId, value) => {
        const { intents } = get();
        const order = Math.max(Date.now(), (intents.at(-1)?.order ?? 0) + 1);
        const intent: Intent = { key, chatroomId, value, order };
        set({ intents: [...intents.filter((each) => each.key !== key), intent] });
        void stored.put(key, serializeIntent(intent));
      },
      settle: ({ key, order }) => {
        if (get().intents.some((each) => each.key === key && each.order === order)) {
          remove(new Set([key]));
        }
        stored.deleteIf(key, (content) => parseIntent(key, content)?.order === order);
      },
      discard: (chatroomId) => {
        const discarded = get().intents.filter((intent) => intent.chatroomId === chatroomId);
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
    keys: () => store.getState().intents.map(({ key }) => key),
    apply: (read) => {
      const intents = store.getState().intents.filter(({ key }) => !read.has(key));
      for (const [key, content] of read) {
        const intent = content && parseIntent(key, content);
        if (intent) intents.push(intent);
      }
      store.setState({ intents: intents.toSorted((a, b) => a.order - b.order) });
    },
    logFailure: platform.logFailure,
  });

  return {
    store,
    refresh: stored.refresh,
    loaded: stored.loaded,
    erase: async () => {
      store.setState({ intents: [] });
      await stored.erase();
    },
  };
}

function serializeIntent({ chatroomId, value, order }: Intent): StorageContent {
  return { value: { chatroomId, value, order } };
}

function parseIntent(key: string, { value }: StorageContent): Intent | undefined {
  const isIntent = hasFields(value, { chatroomId: isText, order: isNumber });
  return isIntent ? { ...(value as Omit<Intent, 'key'>), key } : undefined;
}
