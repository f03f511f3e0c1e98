import type { Page } from 'playwright/test';

/** Returns the content of the page's IndexedDB, or of one collection, as text. */
export function readDatabase(page: Page, only?: 'chats' | 'drafts' | 'rooms'): Promise<string> {
  return page.evaluate(async (only) => {
    const databases = await indexedDB.databases();
    if (!databases.some(({ name }) => name === 'parley')) return '';
    const settled = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(new Error('no database')));
      });
    const textOf = (value: unknown): string => {
      if (value instanceof ArrayBuffer) return new TextDecoder('latin1').decode(value);
      if (typeof value !== 'object' || value === null) return String(value);
      return Object.entries(value)
        .map(([key, part]) => `${key} ${textOf(part)}`)
        .join('\n');
    };
    const request = indexedDB.open('parley');
    // It was deleted in the meantime, as right after a logout.
    request.addEventListener('upgradeneeded', () => request.transaction?.abort());
    const opened = await settled(request).catch(() => undefined);
    if (!opened) return '';
    const transaction = opened.transaction(opened.objectStoreNames);
    const names = only === undefined ? [...opened.objectStoreNames] : [only];
    const stores = names.map((name) => transaction.objectStore(name));
    const rows = await Promise.all(stores.map((store) => settled(store.getAll())));
    opened.close();
    return textOf(rows);
  }, only);
}
