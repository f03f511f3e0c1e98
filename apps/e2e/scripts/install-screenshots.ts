import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runServer } from '@parley/testing';
import { launchOptions } from '@parley/testing/browser';
import { chromium, type Browser, type Page } from 'playwright';
import { messages } from '../src/support/chat.ts';
import { localeOf, TEST_LANGUAGES } from '../src/support/texts.ts';
import { createSampleData, type SampleData } from './screenshots/sample-data.ts';
import { createSampleImage } from './screenshots/sample-image.ts';

// Takes the screenshots that browsers show when they offer to install the app: npm run screenshots:install -w
// @parley/e2e. The manifest in apps/web/scripts/manifest-plugin.ts lists them.

interface Shot {
  readonly name: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly scale: number;
  readonly path: (data: SampleData) => string;
  readonly isReady: (page: Page) => Promise<void>;
}

const PHONE = { viewport: { width: 360, height: 640 }, scale: 2 };
const room: Shot['path'] = ({ rooms }) => `/chatarea/chats/${rooms.friend}`;
const waitForChatroom: Shot['isReady'] = (page) => messages(page).last().waitFor();

const SHOTS: readonly Shot[] = [
  {
    name: 'chats',
    ...PHONE,
    path: () => '/chatarea',
    isReady: (page) => page.locator('[data-chat]').last().waitFor(),
  },
  { name: 'room', ...PHONE, path: room, isReady: waitForChatroom },
  {
    name: 'wide',
    viewport: { width: 1_280, height: 800 },
    scale: 1,
    path: room,
    isReady: waitForChatroom,
  },
];

const FOLDER = join(import.meta.dirname, '../../web/public/screenshots');

const browser = await chromium.launch(launchOptions(process.env));
const server = await runServer({ PARLEY_RATE_LIMITS: 'false' });
try {
  await mkdir(FOLDER, { recursive: true });
  const picture = await createSampleImage(browser);
  for (const language of TEST_LANGUAGES) {
    const data = await createSampleData(server, language, picture);
    for (const shot of SHOTS) {
      const context = await browser.newContext({
        baseURL: server.url,
        viewport: shot.viewport,
        deviceScaleFactor: shot.scale,
        isMobile: shot.scale > 1,
        hasTouch: shot.scale > 1,
        locale: localeOf(language),
        timezoneId: 'Europe/Berlin',
        colorScheme: 'light',
        reducedMotion: 'reduce',
        storageState: data.sessions.self,
      });
      const page = await context.newPage();
      // Machines without a screen may have no font with emoji.
      await page.addInitScript(() => localStorage.setItem('parley.emoji-style', '"twitter"'));
      await page.goto(shot.path(data));
      await shot.isReady(page);
      await page.evaluate(() => document.fonts.ready);
      // Waits for images and waveforms.
      await page.waitForTimeout(700);
      const webp = await toWebp(browser, await page.screenshot());
      await writeFile(join(FOLDER, `${shot.name}.${language}.webp`), webp);
      await context.close();
    }
  }
} finally {
  await browser.close();
  await server.dispose();
}

/** Converts a PNG with the browser. WebP has less than a third of its size. */
async function toWebp(converter: Browser, png: Buffer): Promise<Buffer> {
  const page = await converter.newPage();
  const data = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.8).replace(/^.*,/, '');
  }, png.toString('base64'));
  await page.close();
  return Buffer.from(data, 'base64');
}
