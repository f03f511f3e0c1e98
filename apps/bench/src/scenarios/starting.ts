import type { Browser, BrowserContext, Page } from 'playwright';
import type { SeededUser } from '../seed.ts';

/** The times of a start, in milliseconds since the navigation. */
export interface StartTimes {
  /** The first contentful paint. */
  readonly painted: number;
  /** The main content of the screen is usable. */
  readonly usable: number;
}

/** The starts of the web client on a slow device, in chronological order. */
export interface WebStarts {
  /** A guest's first start; usable once the login form is shown. */
  readonly guest: StartTimes;
  /** A user's first start on this device; usable once the chat list is shown. */
  readonly first: StartTimes;
  /** The next start, with the data that the first one has cached. */
  readonly next: StartTimes;
  /** Another start while the server is unreachable. */
  readonly offline: StartTimes;
}

/**
 * Chrome's "Fast 3G": 1.6 Mbit/s down, 750 kbit/s up, in bytes per second; latency in milliseconds.
 */
const FAST_3G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const CPU_SLOWDOWN = 4;
const LOGIN = 'input[type="password"]';
const CHAT = '[data-chat]';

/** Measures the starts of a new browser profile. `stopServer` makes the server unreachable. */
export async function measureStarts(
  browser: Browser,
  url: string,
  user: SeededUser,
  stopServer: () => Promise<void>,
): Promise<WebStarts> {
  const context = await browser.newContext({ viewport: { width: 390, height: 740 } });
  try {
    const guest = await measureStart(context, url, LOGIN);
    const [name = '', value = ''] = user.cookie.split('=', 2);
    await context.clearCookies();
    await context.addCookies([{ name, value, url }]);
    const first = await measureStart(context, `${url}/chatarea`, CHAT);
    const next = await measureStart(context, `${url}/chatarea`, CHAT);
    await stopServer();
    const offline = await measureStart(context, `${url}/chatarea`, CHAT);
    return { guest, first, next, offline };
  } finally {
    await context.close();
  }
}

async function measureStart(
  context: BrowserContext,
  address: string,
  usable: string,
): Promise<StartTimes> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', FAST_3G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator(usable).first().waitFor({ timeout: 60_000 });
  const usableAt = await page.evaluate(() => performance.now());
  const painted = await firstPaint(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  // Leaves time to store the service worker's files and the offline copy for the next start.
  await page.waitForTimeout(10_000);
  await page.close();
  return { painted, usable: usableAt };
}

async function firstPaint(page: Page): Promise<number> {
  return page.evaluate(() => {
    const [entry] = performance.getEntriesByName('first-contentful-paint');
    return entry?.startTime ?? Number.NaN;
  });
}
