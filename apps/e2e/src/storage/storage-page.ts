import { STORAGE_COLLECTIONS, type ClientStorage } from '@parley/client';
import { STORAGE_CHECKS } from '@parley/client/storage-conformance';
import {
  openIndexedDbStorage,
  type IndexedDbStorageOptions,
} from '@parley/renderer/browser/storage';

/** The way in which a page opens its storage. */
export type StorageMode = 'plain' | 'bytes' | 'encrypted';

/** The functions that the tests call in the page. */
export interface StorageTestApi {
  storage: ClientStorage;
  open: (mode: StorageMode, keyByte?: number) => Promise<void>;
  /** Number of times that the storage reported this page as outdated. */
  outdated: number;
  /** Runs the conformance suite. */
  check: (mode: StorageMode) => Promise<{ passed: number; failed: string[] }>;
  /** Returns the whole database as text. */
  dump: () => Promise<string>;
}

declare global {
  interface Window {
    testApi: StorageTestApi;
  }
}

function optionsOf(mode: StorageMode, keyByte = 7): IndexedDbStorageOptions {
  if (mode === 'encrypted') return { key: new Uint8Array(32).fill(keyByte) };
  return { shouldStoreBytes: mode === 'bytes' };
}

async function check(mode: StorageMode): Promise<{ passed: number; failed: string[] }> {
  const failed: string[] = [];
  for (const { name, run } of STORAGE_CHECKS) {
    const tabs: ClientStorage[] = [];
    await run(async () => {
      const tab = await openIndexedDbStorage(optionsOf(mode));
      tabs.push(tab);
      return tab;
    }).catch((error: unknown) => failed.push(`${name}: ${String(error)}`));
    for (const tab of tabs) tab.close();
    await settled(indexedDB.deleteDatabase('parley'));
  }
  return { passed: STORAGE_CHECKS.length - failed.length, failed };
}

async function dump(): Promise<string> {
  const opened = await settled(indexedDB.open('parley'));
  const transaction = opened.transaction(opened.objectStoreNames);
  const parts: string[] = [];
  for (const collection of STORAGE_COLLECTIONS) {
    const store = transaction.objectStore(collection);
    for (const row of await settled(store.getAll())) parts.push(...textsOf(row));
  }
  opened.close();
  return parts.join('\n');
}

function textsOf(value: unknown): string[] {
  if (value instanceof ArrayBuffer) return [new TextDecoder('latin1').decode(value)];
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).flatMap((entry) => entry.flatMap(textsOf));
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('no reason')));
  });
}

const testApi: Omit<StorageTestApi, 'storage'> = {
  outdated: 0,
  open: async (mode, keyByte) => {
    window.testApi.storage = await openIndexedDbStorage({
      ...optionsOf(mode, keyByte),
      onOutdated: () => {
        window.testApi.outdated += 1;
      },
    });
  },
  check,
  dump,
};
window.testApi = testApi as StorageTestApi;
