import { expect, test, type BrowserContext, type Page } from 'playwright/test';
import { openLab } from './lab.ts';
import type { LocksLab } from './locks-page.ts';

/** As pages on plain HTTP have no Web Locks, leases take their place there. */
const open = (context: BrowserContext): Promise<Page> =>
  openLab(context, 'locks-page.ts', 'http://locks.test');

/** The page's `window.lab`, of this module's own kind. */
type LockedWindow = Window & { lab: LocksLab };
const until = (page: Page): Promise<number | undefined> =>
  page.evaluate(() => (window as unknown as LockedWindow).lab.until());

test('leases let one task run at a time, in any number of tabs', async ({ context }) => {
  const pages = [await open(context), await open(context)];
  expect(await pages[0]?.evaluate(() => 'locks' in navigator)).toBe(false);
  const count = (page: Page) =>
    page.evaluate(() => (window as unknown as LockedWindow).lab.count(8));
  await Promise.all(pages.map(count));
  expect(await pages[0]?.evaluate(() => localStorage.getItem('count'))).toBe('16');
});

test('leases pass on what a task returns or throws, and are given back', async ({ context }) => {
  const page = await open(context);
  const outcomes = await page.evaluate(async () => {
    const { lab } = window as unknown as LockedWindow;
    const failed = lab.run(() => Promise.reject(new Error('on purpose')));
    return [await failed.catch((error: Error) => error.message), await lab.run(async () => 'done')];
  });
  expect(outcomes).toEqual(['on purpose', 'done']);
  expect(await until(page)).toBeUndefined();
});

test('one tab alone claims a name for a while', async ({ context }) => {
  const pages = [await open(context), await open(context), await open(context)];
  const claim = (page: Page, holdMs: number) =>
    page.evaluate((holdMs) => (window as unknown as LockedWindow).lab.claim(holdMs), holdMs);
  const [first, second, third] = pages as [Page, Page, Page];
  const claims = await Promise.all(pages.map((page) => claim(page, 60_000)));
  expect(claims.filter(Boolean)).toHaveLength(1);

  // The holder is gone, its claim stays.
  await first.close();
  expect(await claim(second, 60_000)).toBe(false);
  await third.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() + 61_000;
  });
  expect(await claim(third, 60_000)).toBe(true);
});

test('a tab that is closed gives its lease back', async ({ context }) => {
  const [holder, waiting] = [await open(context), await open(context)];
  await holder.evaluate(() =>
    (window as unknown as LockedWindow).lab.hold({ visible: 70_000, hidden: 70_000 }),
  );
  await holder.close({ runBeforeUnload: true });
  await expect.poll(() => until(waiting)).toBeUndefined();
});

test('the lease of a tab that crashed ends', async ({ context }) => {
  const [holder, waiting] = [await open(context), await open(context)];
  await holder.evaluate(() =>
    (window as unknown as LockedWindow).lab.hold({ visible: 1_500, hidden: 1_500 }),
  );
  const session = await context.newCDPSession(holder);
  const crashed = holder.waitForEvent('crash');
  session.send('Page.crash').catch(() => undefined);
  await crashed;
  expect(await until(waiting)).toBeDefined();
  const done = await waiting.evaluate(() =>
    (window as unknown as LockedWindow).lab.run(async () => 'done'),
  );
  expect(done).toBe('done');
});

test('a lease is renewed while its task runs, and for longer once the tab is hidden', async ({
  context,
}) => {
  const page = await open(context);
  await page.evaluate(() =>
    (window as unknown as LockedWindow).lab.hold({ visible: 9_000, hidden: 70_000 }),
  );
  const first = (await until(page)) ?? 0;
  expect(first).toBeGreaterThan(0);
  await expect.poll(() => until(page)).toBeGreaterThan(first);
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(() => until(page)).toBeGreaterThan(first + 50_000);
});

test('a tab without IndexedDB acts as if it were alone', async ({ context }) => {
  const page = await open(context);
  const outcomes = await page.evaluate(async () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('forbidden', 'SecurityError');
    };
    const { lab } = window as unknown as LockedWindow;
    return [await lab.run(async () => 'done'), await lab.claim(60_000), await lab.claim(60_000)];
  });
  expect(outcomes).toEqual(['done', true, true]);
});
