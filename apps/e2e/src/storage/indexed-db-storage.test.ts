import { expect, test, type Page } from 'playwright/test';
import { openTestPage } from './test-page.ts';
import type { StorageMode } from './storage-page.ts';

const PAGE = 'storage-page.ts';
/** An origin without Web Crypto, Web Locks and service workers. */
const WITHOUT_HTTPS = 'http://storage.test';

const openStorage = (page: Page, mode: StorageMode, keyByte?: number): Promise<void> =>
  page.evaluate(([mode, keyByte]) => window.testApi.open(mode, keyByte), [mode, keyByte] as const);

test('IndexedDB storage passes the conformance suite', async ({ context }) => {
  const page = await openTestPage(context, PAGE);
  for (const mode of ['plain', 'bytes', 'encrypted'] as const) {
    const { passed, failed } = await page.evaluate((mode) => window.testApi.check(mode), mode);
    expect(failed, mode).toEqual([]);
    expect(passed).toBeGreaterThan(10);
  }
});

for (const mode of ['plain', 'encrypted'] as const) {
  test(`two tabs that update concurrently lose nothing and notify each other (${mode})`, async ({
    context,
  }) => {
    const pages = [await openTestPage(context, PAGE), await openTestPage(context, PAGE)];
    for (const page of pages) await openStorage(page, mode);
    const changes = pages.map((page) =>
      page.evaluate(() => {
        const { promise, resolve } = Promise.withResolvers<unknown>();
        window.testApi.storage.onChange(resolve);
        return promise;
      }),
    );
    await Promise.all(
      pages.map((page) =>
        page.evaluate(async () => {
          for (let round = 0; round < 30; round += 1) {
            await window.testApi.storage.update('meta', 'count', (before) => ({
              value: Number(before?.value ?? 0) + 1,
            }));
          }
        }),
      ),
    );
    for (const page of pages) {
      const count = await page.evaluate(() => window.testApi.storage.get('meta', 'count'));
      expect(count).toEqual({ key: 'count', value: 60 });
    }
    const change = { collection: 'meta', key: 'count' };
    expect(await Promise.all(changes)).toEqual([change, change]);
  });

  test(`a full disk rejects a record and keeps the others (${mode})`, async ({ context }) => {
    const page = await openTestPage(context, PAGE);
    const setQuota = async (quotaSize?: number): Promise<void> => {
      const session = await context.newCDPSession(page);
      const origin = 'https://storage.test';
      await session.send('Storage.overrideQuotaForOrigin', {
        origin,
        ...(quotaSize !== undefined && { quotaSize }),
      });
    };
    const put = (key: string, bytes: number): Promise<string> =>
      page.evaluate(
        ([key, bytes]) => {
          const file = new Blob([new Uint8Array(bytes)]);
          return window.testApi.storage.put('outbox', key, { value: key, file }).then(
            () => 'done',
            (error: Error) => error.name,
          );
        },
        [key, bytes] as const,
      );
    const storedSizes = (): Promise<unknown> =>
      page.evaluate(async () => {
        const records = await window.testApi.storage.getAll('outbox');
        return Promise.all(
          records.map(async ({ key, file }) => [key, (await file?.bytes())?.length]),
        );
      });
    // Chromium reads a changed quota only once the previous one is used up.
    await setQuota(500_000);
    await openStorage(page, mode);
    expect(await put('before', 1_000)).toBe('done');
    expect(await put('too much', 5_000_000)).toBe('QuotaExceededError');
    expect(await put('before', 5_000_000)).toBe('QuotaExceededError');
    expect(await storedSizes()).toEqual([['before', 1_000]]);
    await setQuota();
    expect(await put('before', 5_000_000)).toBe('done');
    expect(await storedSizes()).toEqual([['before', 5_000_000]]);
  });
}

for (const origin of ['https://storage.test', WITHOUT_HTTPS]) {
  test(`a page at ${origin} that runs no code after a write loses nothing`, async ({ context }) => {
    const other = await openTestPage(context, PAGE, origin);
    await openStorage(other, 'plain');
    const readOther = (): Promise<unknown> =>
      other.evaluate(async () => {
        const { storage } = window.testApi;
        const [drafts, media] = [await storage.getAll('drafts'), await storage.getAll('outbox')];
        const sizes = media.map(async ({ file }) => (await file?.bytes())?.length);
        return [drafts.map(({ key }) => key), await Promise.all(sizes)];
      });
    const page = await openTestPage(context, PAGE, origin);
    await openStorage(page, 'plain');
    await page.route(`${origin}/blocked`, () => undefined);
    const writing = page
      .evaluate(() => {
        const { storage } = window.testApi;
        const file = new Blob(['x'.repeat(200_000)]);
        void storage.put('drafts', 'text 0', { value: 'Hello' });
        void storage.put('drafts', 'text 1', { value: 'Hello' });
        void storage.put('outbox', 'picture', { value: 1, file });
        void storage.delete('drafts', 'text 0');
        // Blocks the page until it is closed.
        const request = new XMLHttpRequest();
        request.open('GET', '/blocked', false);
        request.send();
      })
      .catch(() => undefined);
    // Chromium discards the writes of a closed page that it has not carried out yet.
    await expect.poll(readOther).toEqual([['text 1'], [200_000]]);
    await page.close();
    await writing;
    expect(await readOther()).toEqual([['text 1'], [200_000]]);
  });
}

test('a page closes its storage and reports that it is outdated if a newer version opens it', async ({
  context,
}) => {
  const page = await openTestPage(context, PAGE);
  await openStorage(page, 'plain');
  const newer = await openTestPage(context, PAGE);
  await newer.evaluate(() =>
    new Promise((resolve) => {
      indexedDB.open('parley', 99).addEventListener('success', resolve);
    }).then(() => undefined),
  );
  expect(await page.evaluate(() => window.testApi.outdated)).toBe(1);
  const put = page.evaluate(() => window.testApi.storage.put('drafts', 'a', { value: 1 }));
  await expect(put).rejects.toThrow('the storage is closed');

  await page.reload();
  await page.waitForFunction(() => 'testApi' in window);
  await expect(openStorage(page, 'plain')).rejects.toThrow('VersionError');
  expect(await page.evaluate(() => window.testApi.outdated)).toBe(1);
});

test('a database of an earlier version keeps its records and gets new collections', async ({
  context,
}) => {
  const page = await openTestPage(context, PAGE);
  const found = await page.evaluate(async () => {
    const opening = indexedDB.open('parley', 1);
    opening.addEventListener('upgradeneeded', () => {
      for (const name of ['meta', 'chats', 'rooms', 'drafts', 'outbox']) {
        opening.result.createObjectStore(name, { keyPath: 'id' });
      }
      opening.result.createObjectStore('key');
    });
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const transaction = opening.result.transaction('drafts', 'readwrite');
    transaction.objectStore('drafts').put({ id: 'a', key: 'a', value: 1 });
    await new Promise((resolve) => transaction.addEventListener('complete', resolve));
    opening.result.close();
    await window.testApi.open('plain');
    const { storage } = window.testApi;
    await storage.put('intents', 'b', { value: 2 });
    return [await storage.getAll('drafts'), await storage.getAll('intents')];
  });
  expect(found).toMatchObject([[{ key: 'a', value: 1 }], [{ key: 'b', value: 2 }]]);
});

test('opening the storage rejects if an older tab blocks it', async ({ context }) => {
  const older = await openTestPage(context, PAGE);
  await older.evaluate(async () => {
    await window.testApi.open('plain');
    window.testApi.storage.close();
    // Behaves like a frozen tab, which does not respond to `versionchange`.
    await new Promise((resolve) => {
      indexedDB.open('parley').addEventListener('success', resolve);
    });
  });
  const page = await openTestPage(context, PAGE);
  await page.evaluate(() => {
    const open = indexedDB.open.bind(indexedDB);
    IDBFactory.prototype.open = (name, version = 1) => open(name, version + 1);
  });
  await expect(openStorage(page, 'plain')).rejects.toThrow('another tab uses an older version');
});

test('opening the storage rejects without IndexedDB, and opening an encrypted one rejects without https', async ({
  context,
}) => {
  const page = await openTestPage(context, PAGE);
  await page.evaluate(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('forbidden', 'SecurityError');
    };
  });
  await expect(openStorage(page, 'plain')).rejects.toThrow('forbidden');
  await page.evaluate(() => {
    Object.defineProperty(window, 'indexedDB', { value: undefined });
  });
  await expect(openStorage(page, 'plain')).rejects.toThrow();
  const insecure = await openTestPage(context, PAGE, WITHOUT_HTTPS);
  await expect(openStorage(insecure, 'encrypted')).rejects.toThrow('no Web Crypto');
});

test('the storage works again after the browser has closed and erased it', async ({ context }) => {
  const page = await openTestPage(context, PAGE);
  await openStorage(page, 'plain');
  await page.evaluate(() => window.testApi.storage.put('drafts', 'a', { value: 1 }));
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', {
    origin: 'https://storage.test',
    storageTypes: 'indexeddb',
  });
  // The page is notified with a delay.
  await expect
    .poll(() =>
      page.evaluate(() =>
        window.testApi.storage.put('drafts', 'b', { value: 2 }).then(
          () => 'done',
          (error: unknown) => String(error),
        ),
      ),
    )
    .toBe('done');
  const drafts = await page.evaluate(() => window.testApi.storage.getAll('drafts'));
  expect(drafts).toEqual([{ key: 'b', value: 2 }]);
});

test('encrypted storage contains no readable contents or keys, and is erased if it is opened with another key', async ({
  context,
}) => {
  const page = await openTestPage(context, PAGE);
  const write = (): Promise<void> =>
    page.evaluate(() => {
      const file = new Blob(['secret-file'], { type: 'image/secret-type' });
      return window.testApi.storage.put('drafts', 'secret-key', { value: 'secret-text', file });
    });
  const read = (): Promise<unknown> =>
    page.evaluate(async () => {
      const record = await window.testApi.storage.get('drafts', 'secret-key');
      return record && [record.value, await record.file?.text(), record.file?.type];
    });
  const reopen = async (mode: StorageMode, keyByte?: number): Promise<void> => {
    await page.evaluate(() => window.testApi.storage.close());
    await openStorage(page, mode, keyByte);
  };
  const contents = ['secret-text', 'secret-file', 'image/secret-type'];

  await openStorage(page, 'plain');
  await write();
  expect(await page.evaluate(() => window.testApi.dump())).toContain('secret-text');
  await reopen('encrypted', 1);
  expect(await page.evaluate(() => window.testApi.dump())).toBe('');
  await write();
  expect(await page.evaluate(() => window.testApi.dump())).not.toContain('secret');
  await reopen('encrypted', 1);
  expect(await read()).toEqual(contents);
  await reopen('encrypted', 2);
  expect(await read()).toBeUndefined();
  expect(await page.evaluate(() => window.testApi.dump())).toBe('');
  await reopen('plain');
  expect(await read()).toBeUndefined();
});
