import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MARKED_FORMATS, markedPicture, type RunningServer } from '@parley/testing';
import type { Page } from 'playwright/test';
import { message, messages } from './support/chat.ts';
import type { TestFile } from './support/files.ts';
import { chooseImages, sendFile } from './support/media.ts';
import { openChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { sendOverHttp, signUpOverHttp } from './support/browser-user.ts';
import { processTest } from './support/process-test.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, createTranslator } from './support/texts.ts';
import { dismissToast } from './support/dismiss-toast.ts';
import { worstCaseImages } from './support/worst-case-images.ts';

const MIME = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  bmp: 'image/bmp',
};

const t = createTranslator('en');

/** Six levels with ten references each, which make a million shapes. */
const FREEZING_SVG: TestFile = {
  name: 'freezing.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><defs><rect id="g0" width="1" height="1"/>${[
      1, 2, 3, 4, 5, 6,
    ]
      .map((i) => `<g id="g${i}">${`<use href="#g${i - 1}"/>`.repeat(10)}</g>`)
      .join('')}</defs><use href="#g6"/></svg>`,
  ),
};

/** Returns the pixels of an image as the browser draws it. */
function pixelsOf(page: Page, type: string, file: Buffer): Promise<string> {
  return page.evaluate(
    async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const { naturalWidth: width, naturalHeight: height } = image;
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      const data = context?.getImageData(0, 0, width, height).data ?? [];
      return `${width} × ${height}: ${Array.from(data).join()}`;
    },
    `data:${type};base64,${file.toString('base64')}`,
  );
}

for (const format of MARKED_FORMATS) {
  test(`a .${format} image looks the same without its metadata @long`, async ({
    server,
    newPage,
  }) => {
    const page = await newPage();
    const blank = await newPage();
    await signUpOverHttp(page, server, 'Alice');
    for (let seed = 1; seed <= 10; seed += 1) {
      const buffer = markedPicture(format, seed);
      const image = { name: `a.${format}`, mimeType: MIME[format], buffer };
      const response = await page.request.post('/api/upload/image', { multipart: { image } });
      expect(response.status()).toBe(201);
      const { url } = (await response.json()) as { url: string };
      // The server does not know the port on which it listens.
      const stored = await page.request.get(new URL(url).pathname);
      const [before, after] = [
        await pixelsOf(blank, MIME[format], buffer),
        await pixelsOf(blank, stored.headers()['content-type'] ?? '', await stored.body()),
      ];
      expect(before).toMatch(/^\d+ × \d+: .*[1-9]/);
      expect(after === before, `the pixels of seed ${seed}`).toBe(true);
    }
  });
}

for (const language of TEST_LANGUAGES) {
  const localized = createTranslator(language);

  test(`an SVG that would freeze the partner's browser is rejected and never drawn (${language}) @long`, async ({
    server,
    newPage,
  }) => {
    const { alice } = await openChatroom(newPage, server, { language });
    await chooseImages(alice.page, FREEZING_SVG);
    await expect(alice.page.getByText(FREEZING_SVG.name)).toBeVisible();
    await alice.page.getByRole('button', { name: localized('composer.sendImage_one') }).click();
    await dismissToast(alice.page, localized('composer.imageTooComplex'));
    await expect(alice.page.getByText(FREEZING_SVG.name)).toBeVisible();
    await expect(messages(alice.page)).toHaveCount(1);
  });

  processTest(
    `a freezing SVG that an older version has accepted is replaced with a placeholder (${language}) @long`,
    async ({ server, newPage }) => {
      const { alice, bob, room } = await openSharedChatroom(newPage, server, { language });
      const drawing = {
        ...FREEZING_SVG,
        buffer: Buffer.from(FREEZING_SVG.buffer.toString().replaceAll('#g5', '')),
      };
      await sendFile(alice.page, room, 'image', drawing);
      await sendOverHttp(alice.page, 'Bob', 'Look at this!');
      const { page } = bob;
      await page.goto('about:blank');
      await replaceUploads(server, FREEZING_SVG.buffer);

      await page.goto(room);
      await expect(page.getByText(localized('message.imageBlocked'))).toBeVisible();
      await expect(page.getByRole('button', { name: localized('message.openImage') })).toHaveCount(
        0,
      );
      await expect(message(page, 'Look at this!')).toBeVisible();
      await expect(messages(page)).toHaveCount(3);
      // The sender, who is in the chatroom, sees the placeholder, too.
      await expect(alice.page.getByText(localized('message.imageBlocked'))).toBeVisible();
      // The chatroom still works, and the sender can delete the image.
      await page.getByRole('textbox').fill('I cannot.');
      await page.keyboard.press('Enter');
      await expect(message(alice.page, 'I cannot.')).toBeVisible();
      const article = alice.page.locator('article', { hasText: localized('message.imageBlocked') });
      await article.hover();
      await article.getByRole('button', { name: localized('message.delete') }).click();
      await alice.page
        .getByRole('alertdialog')
        .getByRole('button', { name: localized('app.delete') })
        .click();
      await expect(page.getByText(localized('message.imageBlocked'))).toHaveCount(0);
    },
  );
}

/** Replaces every upload with a file, as if an older version had accepted it. */
async function replaceUploads(server: RunningServer, content: Buffer): Promise<void> {
  await server.stop();
  const database = new DatabaseSync(join(server.dataDir, 'parley.db'));
  const rows = database.prepare('select file from media').all();
  for (const { file } of rows)
    await writeFile(join(server.dataDir, 'media', String(file)), content);
  database.exec('update media set inspected_rules = 0');
  database.close();
  await server.start();
}

test('the most complex accepted images are shown, and the window stays responsive @long', async ({
  server,
  newPage,
}, info) => {
  test.slow();
  const { alice, bob, room } = await openSharedChatroom(newPage, server);
  const { page } = bob;
  for (const file of worstCaseImages()) {
    const startedAt = performance.now();
    await sendFile(alice.page, room, 'image', file);
    const image = page.getByRole('img', { name: t('message.image', { name: 'Alice' }) }).last();
    await expect(image).toHaveAttribute('data-state', 'ready');
    // The image is drawn after the next frame.
    await image.evaluate(async (element) => {
      if (element instanceof HTMLImageElement) await element.decode();
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    });
    const durationMs = Math.round(performance.now() - startedAt);
    info.annotations.push({ type: file.name, description: `${durationMs} ms` });
    await page.getByRole('textbox').fill(`Seen: ${file.name}`);
    await page.keyboard.press('Enter');
    await expect(message(alice.page, `Seen: ${file.name}`)).toBeVisible();
  }
});
