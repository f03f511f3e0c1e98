import { findBrowser, launchOptions } from '@parley/testing/browser';
import { chromium, type Browser, type Page } from 'playwright';
import { quantile } from '../statistics.ts';

/** How scrolling through a long list went. */
export interface Scrolling {
  /** The 99th percentile and the longest of the times between two frames, in milliseconds. */
  readonly p99: number;
  readonly longest: number;
  /** Most rows that were in the document at once. */
  readonly rows: number;
  /** JavaScript heap after it and a collection, in bytes. */
  readonly heap: number;
}

/** What is scrolled. */
export interface ScrollJob {
  readonly url: string;
  readonly path: string;
  /** The `Cookie` header of who looks at it. */
  readonly cookie: string;
  /** Selector of one row. */
  readonly row: string;
  /** Pixels a step; negative scrolls up. */
  readonly step: number;
  /** Most steps; it ends earlier where the list does. */
  readonly steps: number;
}

/** A browser, or undefined where there is none. */
export async function openBrowser(): Promise<Browser | undefined> {
  if (findBrowser(process.env) === undefined) return undefined;
  return await chromium.launch(launchOptions(process.env));
}

/** Scrolls through a list with the wheel and watches every frame. */
export async function scroll(browser: Browser, job: ScrollJob): Promise<Scrolling> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const [name = '', value = ''] = job.cookie.split('=', 2);
  await context.addCookies([{ name, value, url: job.url }]);
  const page = await context.newPage();
  await page.goto(job.url + job.path);
  await page.locator(job.row).last().waitFor();
  await page.waitForTimeout(2_000);
  await page.locator(job.row).last().hover();
  await watch(page, job.row);
  for (let step = 0; step < job.steps; step++) await page.mouse.wheel(0, job.step);
  const seen = await page.evaluate(() => Reflect.get(window, 'seen') as Seen);
  const session = await context.newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await context.close();
  const ascending = seen.frames.toSorted((a, b) => a - b);
  return {
    p99: quantile(ascending, 0.99),
    longest: ascending.at(-1) ?? Number.NaN,
    rows: seen.rows,
    heap: usedSize,
  };
}

/** What the page itself saw; asking it from outside while it scrolls would cost frames. */
interface Seen {
  frames: number[];
  rows: number;
}

async function watch(page: Page, row: string): Promise<void> {
  await page.evaluate((selector) => {
    const seen: Seen = { frames: [], rows: 0 };
    Reflect.set(window, 'seen', seen);
    let before = performance.now();
    const next = (now: number): void => {
      seen.frames.push(now - before);
      seen.rows = Math.max(seen.rows, document.querySelectorAll(selector).length);
      before = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  }, row);
}
