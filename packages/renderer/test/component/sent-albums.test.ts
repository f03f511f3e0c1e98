import { createTranslator, TEST_LANGUAGES, type Translator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { contentsSeenBy, messagesSeenBy } from './support/act-as.ts';
import { holdRequests } from './support/hold-requests.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { createImageFile } from './support/media-files.ts';
import { menuItem, openMessageMenu } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf, type ShownChat } from './support/open-chat-of.ts';
import { readPageStorage } from './support/page-storage.ts';
import { pickFiles } from './support/pick-files.ts';
import { sendWithEnter } from './support/send-with-enter.ts';

/** Widths of the images of an album, in order. */
const WIDTHS = [80, 120, 160, 200];

/** Finds the messages that have several images. */
function album(t: Translator, count: number): Locator {
  const images = t('message.imageCount_other', { count });
  return page.getByRole('article', { name: images, exact: false });
}

const caption = () => messageWith('At the lake');

/** Chooses images, writes a text and sends both with Enter. */
async function sendAlbum(t: Translator, count: number, text: string): Promise<void> {
  const widths = WIDTHS.slice(0, count);
  pickFiles(
    ...(await Promise.all(widths.map((width) => createImageFile(width, 90, `${width}.png`)))),
  );
  const chosen = page.getByRole('list', { name: t('composer.images') }).getByRole('listitem');
  await expect.poll(() => chosen.elements()).toHaveLength(count);
  await messageBox().fill(text);
  await userEvent.keyboard('{Enter}');
}

/** Returns the widths of the images that Bob has received, oldest first. */
async function receivedWidths({ server, room }: ShownChat): Promise<(number | undefined)[]> {
  const messages = await messagesSeenBy(server, 'Bob', room);
  return messages.flatMap(({ media }) => (media ? [media.width] : []));
}

/** Expects that the caption is below the images and as wide as them. */
async function expectCaptionBelow(row: Locator): Promise<void> {
  const distances = () => {
    const grid = row.getByRole('list').first().element().getBoundingClientRect();
    const text = caption().element().getBoundingClientRect();
    return {
      left: Math.abs(grid.left - text.left) <= 1,
      width: Math.abs(grid.width - text.width) <= 2,
      below: text.top >= grid.bottom - 1,
    };
  };
  await expect.poll(distances).toEqual({ left: true, width: true, below: true });
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`images and the text sent with them are shown as one message (${language})`, async () => {
    const chat = await openChatOf('Alice', { language });
    const { server, path, reload } = chat;
    await sendAlbum(t, 3, 'At the lake');
    await expect.element(messageBox()).toHaveValue('');
    await expect.element(caption()).toHaveAttribute('data-state', 'sent');

    const expectAlbum = async () => {
      const row = album(t, 3);
      await expect.poll(() => row.getByCss('img[data-state="ready"]').elements()).toHaveLength(3);
      await expect.element(caption()).toBeVisible();
      // The caption shows the time.
      expect(row.getByCss('time').elements()).toEqual([]);
      await expectCaptionBelow(row);
    };
    await expectAlbum();
    await reload();
    await expectAlbum();
    await openApp({ server, user: 'Bob', path, language });
    await expectAlbum();
  });

  test(`an image of an album is deleted alone, and the album as a whole (${language})`, async () => {
    const chat = await openChatOf('Alice', { language });
    await sendAlbum(t, 3, 'At the lake');
    await expect.element(caption()).toHaveAttribute('data-state', 'sent');
    const row = album(t, 3);
    await expect.poll(() => row.getByCss('img[data-state="ready"]').elements()).toHaveLength(3);
    await openMessageMenu(row.getByCss('[data-message]').nth(1));
    await menuItem(t('message.delete')).click();
    const confirm = page.getByRole('alertdialog').getByRole('button', { name: t('app.delete') });
    await confirm.click();
    const place = t('message.albumPlace', { current: 2, total: 2 });
    await expect
      .element(album(t, 2).getByRole('button', { name: place, exact: false }))
      .toHaveFocus();
    await expect.poll(() => receivedWidths(chat)).toEqual([80, 160]);

    await openMessageMenu(caption());
    await menuItem(t('message.deleteAlbum')).click();
    await confirm.click();
    await expect.poll(() => page.getByCss('[data-message]').elements()).toHaveLength(1);
    await expect.poll(() => contentsSeenBy(chat.server, 'Bob', chat.room)).toEqual(['Hello Bob!']);
  });
}

const t = createTranslator('en');

test('an album that was sent without a connection arrives as one after a reload', async () => {
  const chat = await openChatOf('Alice');
  const { browser, reload, server, room } = chat;
  browser.setOnline(false);
  await sendAlbum(t, 2, 'At the lake');
  await expect.element(caption()).toHaveAttribute('data-state', 'waiting');
  const chosen = page.getByRole('list', { name: t('composer.images') });
  await expect.element(chosen).not.toBeInTheDocument();
  await expect.poll(() => album(t, 2).getByCss('progress').elements()).toHaveLength(2);
  await expect.poll(readPageStorage).toContain('At the lake');
  await reload();
  browser.setOnline(true);
  await expect.element(caption()).toHaveAttribute('data-state', 'sent');
  expect(album(t, 2).elements()).toHaveLength(1);
  await expect.poll(() => receivedWidths(chat)).toEqual([80, 120]);
  const received = (await messagesSeenBy(server, 'Bob', room)).slice(1);
  expect(received.at(-1)?.content).toBe('At the lake');
  expect(new Set(received.map(({ albumId }) => albumId)).size).toBe(1);
});

test('an album is shown with its caption below it while it is being uploaded', async () => {
  const chat = await openChatOf('Alice');
  const { server, room } = chat;
  const held = Promise.withResolvers<void>();
  let uploads = 0;
  server.intercept('uploadImage', async (_, next) => {
    uploads += 1;
    if (uploads > 1) await held.promise;
    return next();
  });
  await sendAlbum(t, 4, 'At the lake');
  const row = album(t, 4);
  const uploading = page.getByCss('article progress');
  await expect.poll(() => uploading.elements()).toHaveLength(3);
  await expectCaptionBelow(row);

  // A text that is sent meanwhile arrives first.
  await sendWithEnter('Wait for it');
  await expect
    .poll(() => contentsSeenBy(server, 'Bob', room))
    .toEqual(['Hello Bob!', 'Wait for it']);
  await expect.element(page.getByCss('[data-message]').last()).toMatchTextContent(/^At the lake/);

  // An image can still be removed.
  await row
    .getByRole('button', { name: t('composer.removeImage'), exact: false })
    .last()
    .click();
  await expect.element(album(t, 3)).toBeVisible();

  held.resolve();
  await expect.poll(() => receivedWidths(chat)).toEqual([80, 120, 160]);
  await expect.element(uploading).not.toBeInTheDocument();
  await expect.element(caption()).toHaveAttribute('data-state', 'sent');
  expect((await contentsSeenBy(server, 'Bob', room)).at(-1)).toBe('At the lake');
});

test('the tiles of an album have the shapes of its images, and keep their places from the upload on', async () => {
  const chat = await openChatOf('Alice', { reducedMotion: true });
  const release = holdRequests(chat.server, 'uploadImage');
  const sizes = [
    [90, 160],
    [160, 90],
    [160, 90],
  ] as const;
  const files = sizes.map(([width, height], index) =>
    createImageFile(width * 5, height * 5, `${index}.png`),
  );
  pickFiles(...(await Promise.all(files)));
  const chosen = page.getByRole('list', { name: t('composer.images') }).getByRole('listitem');
  await expect.poll(() => chosen.elements()).toHaveLength(3);
  await messageBox().click();
  await userEvent.keyboard('{Enter}');
  const tiles = album(t, 3).getByCss('li');
  const places = () =>
    tiles.elements().map((tile) => {
      const { width, height } = tile.getBoundingClientRect();
      return [Math.round(width), Math.round(height)];
    });
  await expect.poll(() => tiles.elements()).toHaveLength(3);
  const [portrait, ...landscapes] = places();
  expect(portrait?.[0]).toBeLessThan(portrait?.[1] ?? 0);
  for (const [width = 0, height = 0] of landscapes) expect(width).toBeGreaterThan(height);
  release();
  await expect
    .poll(() => album(t, 3).getByCss('img[data-state="ready"]').elements())
    .toHaveLength(3);
  expect(places()).toEqual([portrait, ...landscapes]);
  await expect.poll(() => receivedWidths(chat)).toHaveLength(3);
  await openApp({ server: chat.server, user: 'Bob', path: chat.path });
  await expect.poll(places).toEqual([portrait, ...landscapes]);
});
