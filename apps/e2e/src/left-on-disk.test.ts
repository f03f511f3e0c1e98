import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { testLaunchOptions } from '@parley/testing/browser';
import { encodePng } from '@parley/testing';
import { chromium, type BrowserContext, type Page } from 'playwright/test';
import { sendOverHttp, signInOverHttp } from './support/browser-user.ts';
import { message, textBox } from './support/chat.ts';
import type { TestFile } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { goToChatroom } from './support/shared-chatroom.ts';
import { expect, test as base } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

interface Profile {
  readonly page: Page;
  /** Returns the files of the profile that contain any of these bytes. */
  readonly find: (needles: readonly Buffer[]) => Promise<string[]>;
  /** Closes the browser. */
  readonly close: () => Promise<void>;
}

const test = base.extend<{ profile: Profile }>({
  profile: async ({ server }, provide) => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-profile-'));
    const context: BrowserContext = await chromium.launchPersistentContext(folder, {
      ...testLaunchOptions(process.env),
      baseURL: server.url,
    });
    const [page = await context.newPage()] = context.pages();
    const find = async (needles: readonly Buffer[]): Promise<string[]> => {
      const found: string[] = [];
      for (const name of await readdir(folder, { recursive: true })) {
        // Files come and go, and some names are folders or sockets.
        const bytes = await readFile(join(folder, name)).catch(() => Buffer.alloc(0));
        if (needles.some((needle) => bytes.includes(needle))) found.push(name);
      }
      return found;
    };
    await provide({ page, find, close: () => context.close() });
    await context.close();
    await rm(folder, { recursive: true, force: true });
  },
});

/** Creates an image whose bytes are in no other file. */
function createNoise(width: number, height: number): TestFile {
  const rows = randomBytes(height * (width + 1));
  for (let y = 0; y < height; y += 1) rows[y * (width + 1)] = 0;
  const buffer = encodePng(width, height, 'gray', rows);
  return { name: 'noise.png', mimeType: 'image/png', buffer };
}

test('a logout leaves neither texts nor images in the profile of the browser @long', async ({
  server,
  newPage,
  profile,
}) => {
  const { page, find } = profile;
  const alice = await signInOverHttp(await newPage(), server, 'Alice');
  await signInOverHttp(page, server, 'Bob');
  const secret = randomBytes(40).toString('hex');
  const draft = randomBytes(40).toString('hex');
  const room = `/chatarea/chats/${await sendOverHttp(alice.page, 'Bob', secret)}`;
  const { pathname: url } = new URL(
    await sendFile(alice.page, room, 'image', createNoise(400, 300)),
  );
  const stored = await (await alice.page.request.get(url)).body();
  const texts = [secret, draft].flatMap((text) => [
    Buffer.from(text),
    Buffer.from(text, 'utf16le'),
  ]);
  const image = [stored.subarray(stored.length >> 1, (stored.length >> 1) + 64)];

  await goToChatroom(page, room);
  await expect(message(page, secret)).toBeVisible();
  await expect(page.locator('[data-message] img[data-state="ready"]')).toBeVisible();
  await textBox(page).fill(draft);
  await expect.poll(() => find(texts)).not.toEqual([]);
  expect.soft(await find(image), 'while the image is shown').toEqual([]);

  await page.getByRole('button', { name: t('frame.menu', { name: 'Bob' }) }).click();
  await page.getByRole('menuitem', { name: t('frame.logout') }).click();
  await page.waitForURL((to) => to.pathname === '/');
  await signInOverHttp(page, server, 'Mallory');
  for (const cache of ['force-cache', 'only-if-cached', 'default'] as const) {
    const status = await page
      .evaluate(
        async ([source, how]) => {
          const response = await fetch(source, { cache: how, mode: 'same-origin' });
          return response.status;
        },
        [url, cache] as const,
      )
      .catch(() => 'no response');
    expect.soft(status, cache).not.toBe(200);
  }
  await expect.soft(async () => expect(await find(texts)).toEqual([])).toPass();
  await profile.close();
  expect.soft(await find([...texts, ...image]), 'after the browser was closed').toEqual([]);
});
