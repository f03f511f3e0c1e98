import type { Locator, Page } from 'playwright/test';
import { message, messages, textBox } from './support/chat.ts';
import { createPng } from './support/files.ts';
import { chooseImages } from './support/media.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, createTranslator, type Translator } from './support/texts.ts';

const images = (count: number) =>
  Array.from({ length: count }, (_, index) => createPng(80 + 40 * index, 90, `${index}.png`));

/** Returns the rows of messages that have several images. */
function album(page: Page, t: Translator, count: number): Locator {
  return page.getByRole('article', { name: t('message.imageCount_other', { count }) });
}

/** Chooses images, writes a text and sends both with Enter. */
async function sendAlbum(page: Page, count: number, caption: string): Promise<void> {
  await chooseImages(page, ...images(count));
  await textBox(page).fill(caption);
  await textBox(page).press('Enter');
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`images and the text written with them are one message (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob, room } = await openSharedChatroom(newPage, server, { language });
    await sendAlbum(alice.page, 3, 'At the lake');
    await expect(textBox(alice.page)).toHaveValue('');
    for (const { page } of [alice, bob]) {
      const row = album(page, t, 3);
      await expect(row.locator('img')).toHaveCount(3);
      await expect(message(page, 'At the lake')).toBeVisible();
      // The caption shows the time.
      await expect(row.locator('time')).toHaveCount(0);
      const boxes = [row.getByRole('list').first(), message(page, 'At the lake')];
      const [grid, caption] = await Promise.all(boxes.map((each) => each.boundingBox()));
      expect(Math.abs((grid?.x ?? 0) - (caption?.x ?? 9))).toBeLessThanOrEqual(1);
      expect(Math.abs((grid?.width ?? 0) - (caption?.width ?? 9))).toBeLessThanOrEqual(2);
    }

    await test.step('a second device and a reload show the same', async () => {
      await goToChatroom(bob.page, room);
      await expect(album(bob.page, t, 3).locator('img')).toHaveCount(3);
    });

    await test.step('each image has its own menu, and the album can be deleted as a whole', async () => {
      const row = album(alice.page, t, 3);
      await row.locator('[data-message]').nth(1).click({ button: 'right' });
      await alice.page.getByRole('menuitem', { name: t('message.delete'), exact: true }).click();
      await alice.page.getByRole('button', { name: t('app.delete') }).click();
      await expect(album(bob.page, t, 2).locator('img')).toHaveCount(2);
      await expect(
        album(alice.page, t, 2).getByRole('button', {
          name: t('message.albumPlace', { current: 2, total: 2 }),
        }),
      ).toBeFocused();
      await message(alice.page, 'At the lake').click({ button: 'right' });
      await alice.page.getByRole('menuitem', { name: t('message.deleteAlbum') }).click();
      await alice.page.getByRole('button', { name: t('app.delete') }).click();
      await expect(messages(bob.page)).toHaveCount(1);
      await expect(messages(alice.page)).toHaveCount(1);
    });
  });
}

const t = createTranslator('en');

test('an album that was sent without a connection arrives as one after a reload', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  await page.context().setOffline(true);
  await sendAlbum(page, 2, 'Still here');
  await expect(message(page, 'Still here')).toHaveAttribute('data-state', /waiting|sending/);
  await expect(page.getByRole('list', { name: t('composer.images') })).toHaveCount(0);
  await expect(album(page, t, 2).locator('progress')).toHaveCount(2);
  await page.context().setOffline(false);
  await goToChatroom(page, room);
  await expect(album(bob.page, t, 2).locator('img')).toHaveCount(2);
  await expect(message(bob.page, 'Still here')).toHaveCount(1);
  await expect(album(page, t, 2)).toHaveCount(1);
});

test('an album is shown with its caption below it while it is being uploaded', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  const held = Promise.withResolvers<void>();
  let uploads = 0;
  await page.route('**/api/upload/image', async (route) => {
    uploads += 1;
    if (uploads > 1) await held.promise;
    await route.continue();
  });
  await sendAlbum(page, 4, 'At the lake');
  const row = album(page, t, 4);
  const progress = row.locator('progress');
  await expect(progress).toHaveCount(3);

  await test.step('the caption has the same width and place as after sending', async () => {
    const boxes = [row.getByRole('list').first(), message(page, 'At the lake')];
    const [grid, caption] = await Promise.all(boxes.map((each) => each.boundingBox()));
    expect(Math.abs((grid?.x ?? 0) - (caption?.x ?? 9))).toBeLessThanOrEqual(1);
    expect(caption?.y ?? 0).toBeGreaterThanOrEqual((grid?.y ?? 0) + (grid?.height ?? 0) - 1);
  });

  await test.step('a text that is sent meanwhile arrives first', async () => {
    await textBox(page).fill('Wait for it');
    await textBox(page).press('Enter');
    await expect(message(bob.page, 'Wait for it')).toBeVisible();
    await expect(messages(page).last()).toHaveText(/^At the lake/);
  });

  await test.step('an image can still be removed', async () => {
    const remove = row.getByRole('button', { name: t('composer.removeImage') });
    await remove.last().click();
    await expect(album(page, t, 3)).toBeVisible();
  });

  held.resolve();
  await expect(album(bob.page, t, 3).locator('img')).toHaveCount(3);
  const widths = () =>
    album(bob.page, t, 3)
      .locator('img')
      .evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth));
  await expect.poll(widths).toEqual([80, 120, 160]);
  await expect(messages(bob.page).last()).toHaveText(/^At the lake/);
  await expect(page.locator('article progress')).toHaveCount(0);
});

test('the images of an album open in the lightbox one after the other @long', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  await sendAlbum(alice.page, 2, '');
  const row = album(bob.page, t, 2);
  await expect(row.locator('time')).toHaveCount(1);
  await row.getByRole('button', { name: '2 of 2' }).click();
  const shown = bob.page.getByRole('dialog');
  await expect(shown).toContainText(t('lightbox.place', { current: 2, total: 2 }));
  await bob.page.keyboard.press('ArrowLeft');
  await expect(shown).toContainText(t('lightbox.place', { current: 1, total: 2 }));
  await bob.page.keyboard.press('Escape');
  await expect(bob.page.getByRole('dialog')).toHaveCount(0);
});

test('the text returns to the text box if an image is refused @long', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  await page.route('**/api/upload/image', (route) =>
    route.fulfill({ status: 413, json: { errorMessage: 'no', code: 'too_large' } }),
  );
  await sendAlbum(page, 2, 'Look');
  await expect(textBox(page)).toHaveValue('Look');
  await expect(page.getByRole('list', { name: t('composer.images') })).toBeVisible();
  await page.unroute('**/api/upload/image');
  await textBox(page).press('Enter');
  await expect(album(bob.page, t, 2)).toHaveCount(1);
  await expect(message(bob.page, 'Look')).toHaveCount(1);
});
