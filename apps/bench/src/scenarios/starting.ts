import type { Browser, BrowserContext, Page } from 'playwright';
import type { SeededUser } from '../seed.ts';

/** How long a start took, in milliseconds from the navigation on. */
export interface Start {
  /** First content on the screen. */
  readonly painted: number;
  /** What the user came for can be used. */
  readonly usable: number;
}

/** The starts of the web client on a slow device, in the order in which a user has them. */
export interface Starts {
  /** A guest who was never here; usable is the login. */
  readonly guest: Start;
  /** A user's first start on this device; usable is the chat list. */
  readonly first: Start;
  /** The next start, from what the first has left on the device. */
  readonly next: Start;
  /** The next start while the server cannot be reached. */
  readonly offline: Start;
}

/** Chrome's «Fast 3G»: 1.6 Mbit/s down, 750 kbit/s up, in bytes a second; latency in milliseconds. */
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
): Promise<Starts> {
  const context = await browser.newContext({ viewport: { width: 390, height: 740 } });
  try {
    const guest = await start(context, url, LOGIN);
    const [name = '', value = ''] = user.cookie.split('=', 2);
    await context.clearCookies();
    await context.addCookies([{ name, value, url }]);
    const first = await start(context, `${url}/chatarea`, CHAT);
    const next = await start(context, `${url}/chatarea`, CHAT);
    await stopServer();
    const offline = await start(context, `${url}/chatarea`, CHAT);
    return { guest, first, next, offline };
  } finally {
    await context.close();
  }
}

async function start(context: BrowserContext, address: string, usable: string): Promise<Start> {
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
  // What comes after the start is kept for the next one: the service worker's files, the copy of the chats.
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
