import type { Locator, Page } from 'playwright/test';
import { message, textBox } from './support/chat.ts';
import { createPng } from './support/files.ts';
import { chooseImages } from './support/media.ts';
import { openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

const images = (count: number) =>
  Array.from({ length: count }, (_, index) => createPng(80 + 40 * index, 90, `${index}.png`));

/** Returns the rows of messages that have several images. */
function album(page: Page, count: number): Locator {
  return page.getByRole('article', { name: t('message.imageCount_other', { count }) });
}

/** Chooses images, writes a text and sends both with Enter. */
async function sendAlbum(page: Page, count: number, caption: string): Promise<void> {
  await chooseImages(page, ...images(count));
  await textBox(page).fill(caption);
  await textBox(page).press('Enter');
}

test('images and the text written with them reach the partner as one message', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  await sendAlbum(alice.page, 3, 'At the lake');
  await expect(album(bob.page, 3).locator('img[data-state="ready"]')).toHaveCount(3);
  await expect(message(bob.page, 'At the lake')).toBeVisible();

  await test.step('one of its images is deleted', async () => {
    const row = album(alice.page, 3);
    await row.locator('[data-message]').nth(1).click({ button: 'right' });
    await alice.page.getByRole('menuitem', { name: t('message.delete'), exact: true }).click();
    await alice.page.getByRole('button', { name: t('app.delete') }).click();
    await expect(album(bob.page, 2).locator('img')).toHaveCount(2);
    await expect(message(bob.page, 'At the lake')).toBeVisible();
  });
});

test('the images of an album open in the lightbox one after the other @long', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  await sendAlbum(alice.page, 2, '');
  const row = album(bob.page, 2);
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
  await expect(album(bob.page, 2)).toHaveCount(1);
  await expect(message(bob.page, 'Look')).toHaveCount(1);
});
