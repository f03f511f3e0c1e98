import { findBrowser, launchOptions } from '@parley/testing/browser';
import { chromium, type Browser, type Page } from 'playwright';
import { quantile } from '../statistics.ts';

/** Measurements of scrolling through a long list. */
export interface ScrollResult {
  /** The 99th percentile and the longest of the times between two frames, in milliseconds. */
  readonly p99: number;
  readonly longest: number;
  /** Maximum number of rows that the document contained. */
  readonly rows: number;
  /** JavaScript heap after scrolling and a garbage collection, in bytes. */
  readonly heap: number;
}

/** The list to scroll. */
export interface ScrollJob {
  readonly url: string;
  readonly path: string;
  /** The `Cookie` header of the user. */
  readonly cookie: string;
  /** Selector of one row. */
  readonly row: string;
  /** Pixels per step; negative scrolls up. */
  readonly step: number;
  /** Number of steps. Those after the end of the list have no effect. */
  readonly steps: number;
}

/** Launches a browser. Returns undefined if none is installed. */
export async function openBrowser(): Promise<Browser | undefined> {
  if (findBrowser(process.env) === undefined) return undefined;
  return await chromium.launch(launchOptions(process.env));
}

/** Scrolls through a list with the wheel and measures every frame. */
export async function scroll(browser: Browser, job: ScrollJob): Promise<ScrollResult> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const [name = '', value = ''] = job.cookie.split('=', 2);
  await context.addCookies([{ name, value, url: job.url }]);
  const page = await context.newPage();
  await page.goto(job.url + job.path);
  await page.locator(job.row).last().waitFor();
  await page.waitForTimeout(2_000);
  await page.locator(job.row).last().hover();
  await recordFrames(page, job.row);
  for (let step = 0; step < job.steps; step++) await page.mouse.wheel(0, job.step);
  const recorded = await page.evaluate(() => Reflect.get(window, 'recorded') as FrameRecord);
  const session = await context.newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await context.close();
  const ascending = recorded.frames.toSorted((a, b) => a - b);
  return {
    p99: quantile(ascending, 0.99),
    longest: ascending.at(-1) ?? Number.NaN,
    rows: recorded.rows,
    heap: usedSize,
  };
}

/** The record that the page keeps itself, because queries during scrolling would cost frames. */
interface FrameRecord {
  /** Times between two frames, in milliseconds. */
  frames: number[];
  /** Maximum number of rows. */
  rows: number;
}

async function recordFrames(page: Page, row: string): Promise<void> {
  await page.evaluate((selector) => {
    const recorded: FrameRecord = { frames: [], rows: 0 };
    Reflect.set(window, 'recorded', recorded);
    let before = performance.now();
    const next = (now: number): void => {
      recorded.frames.push(now - before);
      recorded.rows = Math.max(recorded.rows, document.querySelectorAll(selector).length);
      before = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  }, row);
}
