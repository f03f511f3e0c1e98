import { expect, test, type BrowserContext, type Page } from 'playwright/test';
import { openTestPage } from './test-page.ts';
import type { LocksTestApi } from './locks-page.ts';

/** Opens a page on plain HTTP, where leases replace the missing Web Locks. */
const open = (context: BrowserContext): Promise<Page> =>
  openTestPage(context, 'locks-page.ts', 'http://locks.test');

/** The window of a page that runs `locks-page.ts`. */
type WindowWithTestApi = Window & { testApi: LocksTestApi };
const leaseEnd = (page: Page): Promise<number | undefined> =>
  page.evaluate(() => (window as unknown as WindowWithTestApi).testApi.leaseEnd());

test('leases run one task at a time across tabs', async ({ context }) => {
  const pages = [await open(context), await open(context)];
  expect(await pages[0]?.evaluate(() => 'locks' in navigator)).toBe(false);
  const count = (page: Page) =>
    page.evaluate(() => (window as unknown as WindowWithTestApi).testApi.count(8));
  await Promise.all(pages.map(count));
  expect(await pages[0]?.evaluate(() => localStorage.getItem('count'))).toBe('16');
});

test('leases return the result or error of a task and are released', async ({ context }) => {
  const page = await open(context);
  const outcomes = await page.evaluate(async () => {
    const { testApi } = window as unknown as WindowWithTestApi;
    const failed = testApi.run(() => Promise.reject(new Error('on purpose')));
    return [
      await failed.catch((error: Error) => error.message),
      await testApi.run(async () => 'done'),
    ];
  });
  expect(outcomes).toEqual(['on purpose', 'done']);
  expect(await leaseEnd(page)).toBeUndefined();
});

test('only one tab can claim a name until the claim expires', async ({ context }) => {
  const pages = [await open(context), await open(context), await open(context)];
  const claim = (page: Page, holdMs: number) =>
    page.evaluate(
      (holdMs) => (window as unknown as WindowWithTestApi).testApi.claim(holdMs),
      holdMs,
    );
  const [first, second, third] = pages as [Page, Page, Page];
  const claims = await Promise.all(pages.map((page) => claim(page, 60_000)));
  expect(claims.filter(Boolean)).toHaveLength(1);

  // The claim remains after its tab is closed.
  await first.close();
  expect(await claim(second, 60_000)).toBe(false);
  await third.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() + 61_000;
  });
  expect(await claim(third, 60_000)).toBe(true);
});

test('a closed tab releases its lease', async ({ context }) => {
  const [holder, waiting] = [await open(context), await open(context)];
  await holder.evaluate(() =>
    (window as unknown as WindowWithTestApi).testApi.hold({ visible: 70_000, hidden: 70_000 }),
  );
  await holder.close({ runBeforeUnload: true });
  await expect.poll(() => leaseEnd(waiting)).toBeUndefined();
});

test('the lease of a crashed tab expires', async ({ context }) => {
  const [holder, waiting] = [await open(context), await open(context)];
  await holder.evaluate(() =>
    (window as unknown as WindowWithTestApi).testApi.hold({ visible: 1_500, hidden: 1_500 }),
  );
  const session = await context.newCDPSession(holder);
  const crashed = holder.waitForEvent('crash');
  session.send('Page.crash').catch(() => undefined);
  await crashed;
  expect(await leaseEnd(waiting)).toBeDefined();
  const done = await waiting.evaluate(() =>
    (window as unknown as WindowWithTestApi).testApi.run(async () => 'done'),
  );
  expect(done).toBe('done');
});

test('a lease is renewed while its task runs, for a longer time in a hidden tab', async ({
  context,
}) => {
  const page = await open(context);
  await page.evaluate(() =>
    (window as unknown as WindowWithTestApi).testApi.hold({ visible: 9_000, hidden: 70_000 }),
  );
  const first = (await leaseEnd(page)) ?? 0;
  expect(first).toBeGreaterThan(0);
  await expect.poll(() => leaseEnd(page)).toBeGreaterThan(first);
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(() => leaseEnd(page)).toBeGreaterThan(first + 50_000);
});

test('a tab without IndexedDB behaves as if it were the only one', async ({ context }) => {
  const page = await open(context);
  const outcomes = await page.evaluate(async () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('forbidden', 'SecurityError');
    };
    const { testApi } = window as unknown as WindowWithTestApi;
    return [
      await testApi.run(async () => 'done'),
      await testApi.claim(60_000),
      await testApi.claim(60_000),
    ];
  });
  expect(outcomes).toEqual(['done', true, true]);
});
