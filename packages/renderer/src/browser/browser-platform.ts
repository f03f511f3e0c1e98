import {
  createMemoryStorageArea,
  STORAGE_COLLECTIONS,
  type ClientStorage,
  type Platform,
} from '@parley/client';
import { logFailure } from '../logging/log-failure.ts';
import { hasUserActivation } from '../sounds/user-activation.ts';
import { clearIndexedDb, openIndexedDbStorage } from './indexed-db-storage.ts';
import { browserStorage } from './local-record.ts';
import { isPageFocused } from './page-focused.ts';
import { openTabChannel } from './tab-channel.ts';
import { createTabLocks } from './tab-locks.ts';
import { uploadMedia } from './upload-media.ts';

/** What the client needs beside the browser. */
export interface BrowserPlatformDeps {
  /**
   * Resolves to 32 bytes that records are encrypted with, or to null where the system has no place to keep
   * them. Without it, records are not encrypted.
   */
  storageKey?: (() => Promise<Uint8Array<ArrayBuffer> | null>) | undefined;
  /** Called when a newer version of this program runs in another tab: this page should offer to reload. */
  onStorageOutdated?: (() => void) | undefined;
}

/** Creates what the headless client needs of the page it runs in. */
export function createBrowserPlatform(deps: BrowserPlatformDeps = {}): Platform {
  return {
    storage: browserStorage,
    openStorage: () => openStorage(deps),
    locks: createTabLocks(),
    openChannel: openTabChannel,
    isFocused: isPageFocused,
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
    isOnline: () => navigator.onLine,
    onNetworkChange: (listener) => {
      const listening = new AbortController();
      const { signal } = listening;
      window.addEventListener('online', listener, { signal });
      window.addEventListener('offline', listener, { signal });
      return () => listening.abort();
    },
    upload: uploadMedia,
    createPreviewUrl: (file) => URL.createObjectURL(file),
    revokePreviewUrl: (url) => URL.revokeObjectURL(url),
    logFailure,
  };
}

async function openStorage(deps: BrowserPlatformDeps): Promise<ClientStorage> {
  const key = await deps.storageKey?.();
  if (key === null) return openMemoryFallback();
  return openIndexedDbStorage({ key, onOutdated: deps.onStorageOutdated });
}

/**
 * Opens storage in memory where records may not be written without a key. What an earlier run has
 * encrypted stays for a later one that has its key, and is erased with what this one has put in.
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
      // A client clears a storage without an owner before it uses it.
      if (isUsed) await clearIndexedDb(collections);
    },
  };
}
