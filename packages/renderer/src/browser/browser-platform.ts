import {
  completePendingErasure,
  createMemoryStorageArea,
  STORAGE_COLLECTIONS,
  type ClientStorage,
  type Platform,
  type TabLocks,
} from '@parley/client';
import { logFailure } from '../logging/log-failure.ts';
import { hasUserActivation } from '../sounds/user-activation.ts';
import { clearIndexedDb, openIndexedDbStorage } from './indexed-db-storage.ts';
import { browserStorage } from './local-record.ts';
import { isPageFocused, watchPageFocus } from './page-focused.ts';
import { persistStorage } from './persist-storage.ts';
import { openTabChannel } from './tab-channel.ts';
import { createTabLocks } from './tab-locks.ts';
import { createUploadMedia, type FollowUpload } from './upload-media.ts';
import { watchUse } from './watch-use.ts';

/** The dependencies of the client that differ between hosts. */
export interface BrowserPlatformDeps {
  /**
   * Resolves to the 32-byte key for encrypting records, or to null if the system cannot store one. If missing,
   * records are not encrypted.
   */
  getStorageKey?: (() => Promise<Uint8Array<ArrayBuffer> | null>) | undefined;
  /** Follows an upload. Missing if requests report their own progress. */
  followUpload?: FollowUpload | undefined;
  /** Called when another tab runs a newer version of this program. This page should offer to reload. */
  onStorageOutdated?: (() => void) | undefined;
}

/** Creates the browser's implementation of the client's platform port. */
export function createBrowserPlatform(deps: BrowserPlatformDeps = {}): Platform {
  const locks = createTabLocks();
  return {
    storage: browserStorage,
    openStorage: () => openStorage(deps, locks),
    persistStorage,
    locks,
    openChannel: openTabChannel,
    isFocused: isPageFocused,
    watchFocus: watchPageFocus,
    canPlaySounds: hasUserActivation,
    onHidden: (listener) => {
      const listening = new AbortController();
      const { signal } = listening;
      const handleVisibilityChange = (): void => {
        if (document.visibilityState === 'hidden') listener();
      };
      document.addEventListener('visibilitychange', handleVisibilityChange, { signal });
      window.addEventListener('pagehide', listener, { signal });
      return () => listening.abort();
    },
    watchUse,
    // Safari has no such callback.
    ...('requestIdleCallback' in window && {
      whenIdle: () => new Promise<void>((resolve) => void requestIdleCallback(() => resolve())),
    }),
    isOnline: () => navigator.onLine,
    onNetworkChange: (listener) => {
      const listening = new AbortController();
      const { signal } = listening;
      window.addEventListener('online', listener, { signal });
      window.addEventListener('offline', listener, { signal });
      return () => listening.abort();
    },
    upload: createUploadMedia(deps.followUpload),
    createPreviewUrl: (file) => URL.createObjectURL(file),
    revokePreviewUrl: (url) => URL.revokeObjectURL(url),
    logFailure,
  };
}

async function openStorage(deps: BrowserPlatformDeps, locks: TabLocks): Promise<ClientStorage> {
  const key = await deps.getStorageKey?.();
  // A pending erasure stays for a later run with the key.
  if (key === null) return openMemoryFallback();
  const storage = await openIndexedDbStorage({ key, onOutdated: deps.onStorageOutdated });
  try {
    await completePendingErasure({ storage: browserStorage, locks }, storage);
  } catch (error) {
    storage.close();
    throw error;
  }
  return storage;
}

/**
 * Opens in-memory storage for pages that must encrypt records but have no key. Keeps the encrypted records of
 * earlier runs, which a later run with the key can read. Erases them if this run clears its own records.
 */
function openMemoryFallback(): ClientStorage {
  const memory = createMemoryStorageArea().open();
  let isUsed = false;
  return {
    ...memory,
    put: (...record) => {
      isUsed = true;
      return memory.put(...record);
    },
    clear: async (collections = STORAGE_COLLECTIONS) => {
      await memory.clear(collections);
      // Before its first use, a client clears any storage without an owner. That must not erase encrypted records.
      if (isUsed) await clearIndexedDb(collections);
    },
    erase: async () => {
      await memory.erase();
      if (isUsed) await clearIndexedDb(STORAGE_COLLECTIONS);
    },
  };
}
