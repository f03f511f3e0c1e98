import type { Locator } from 'playwright/test';
import { chatRow, messages } from './support/chat.ts';
import { createPng, createWav } from './support/files.ts';
import { chooseImages, insertFile, sendFile } from './support/media.ts';
import { openChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, createTranslator } from './support/texts.ts';
import { dismissToast } from './support/dismiss-toast.ts';

const t = createTranslator('en');

test('an image is sent by button, paste and drop, with a preview and progress', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  const send = page.getByRole('button', { name: t('composer.sendImage_one') });
  const received = bob.page.getByRole('img', { name: t('message.image', { name: 'Alice' }) });

  await test.step('a chosen image can be removed', async () => {
    await chooseImages(page, createPng(40, 30, 'wrong.png'));
    await expect(page.getByText('wrong.png')).toBeVisible();
    await page.getByRole('button', { name: t('composer.removeImage') }).click();
    await expect(page.getByText('wrong.png')).toHaveCount(0);
  });

  await test.step('a chosen image is uploaded with progress', async () => {
    const held = Promise.withResolvers<void>();
    await page.route('**/api/upload/image', async (route) => {
      await held.promise;
      await route.continue();
    });
    await chooseImages(page, createPng(400, 300, 'first.png'));
    await send.click();
    await expect(page.getByText(/^Uploading, \d+%$/)).toBeVisible();
    // It has the size of the image from the beginning.
    const sizeOf = async (target: Locator) => {
      const { width = 0, height = 0 } = (await target.boundingBox()) ?? {};
      return [Math.round(width), Math.round(height)];
    };
    expect(await sizeOf(messages(page).last().getByTitle('first.png'))).toEqual([340, 255]);
    held.resolve();
    await expect(received).toHaveCount(1);
    expect(await sizeOf(received)).toEqual([340, 255]);
    await page.unroute('**/api/upload/image');
    await expect(page.getByText('first.png')).toHaveCount(0);
  });

  await test.step('a pasted image is sent with Enter', async () => {
    await insertFile(page, 'paste', createPng(60, 40, 'pasted.png'));
    await expect(page.getByText('pasted.png')).toBeVisible();
    await page.getByRole('textbox').press('Enter');
    await expect(received).toHaveCount(2);
  });

  await test.step('a paste of both text and an image from an office program inserts the text', async () => {
    const isHandled = await page.getByRole('textbox').evaluate((box) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'A1\tB1');
      clipboardData.setData('text/html', '<table><tr><td>A1<td>B1</table>');
      clipboardData.items.add(new File(['picture'], 'image.png', { type: 'image/png' }));
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      return !box.dispatchEvent(paste);
    });
    expect(isHandled).toBe(false);
    await expect(page.getByText('image.png')).toHaveCount(0);
  });

  await test.step('a dropped image is sent', async () => {
    await insertFile(page, 'drop', createPng(50, 50, 'dropped.png'));
    await expect(page.getByText('dropped.png')).toBeVisible();
    await send.click();
    await expect(received).toHaveCount(3);
  });

  await test.step('both chat lists show an image label, and the image can only be deleted', async () => {
    for (const row of [chatRow(page, 'Bob'), chatRow(bob.page, 'Alice')]) {
      await expect(row).toContainText(t('chatList.sentImage'));
    }
    const article = page.locator('article').last();
    await article.hover();
    await expect(article.getByRole('button', { name: t('message.delete') })).toBeVisible();
    await expect(article.getByRole('button', { name: t('message.edit') })).toHaveCount(0);
    await article.getByRole('button', { name: t('message.delete') }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: t('app.delete') })
      .click();
    await expect(received).toHaveCount(2);
  });
});

test('an image and a recording that cannot be loaded show an error, and load after a reconnect', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server);
  const { page } = bob;
  await page.route('**/media/**', (route) => route.abort());
  await sendFile(alice.page, room, 'image', createPng(300, 200));
  await sendFile(alice.page, room, 'audio', createWav(3));
  await expect(page.getByText(t('message.imageBroken'))).toBeVisible();
  // A recording is only fetched when it is played.
  await page.getByRole('button', { name: t('audio.play') }).click();
  await expect(page.getByText(t('audio.broken'))).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText(t('connection.offline'))).toBeVisible();
  await page.unroute('**/media/**');
  await page.context().setOffline(false);
  await expect(page.getByRole('button', { name: t('message.openImage') })).toBeVisible();
  await expect(page.getByRole('button', { name: t('audio.play') })).toBeVisible();
  await expect(page.getByText(t('message.imageBroken'))).toHaveCount(0);
});

for (const language of TEST_LANGUAGES) {
  const localized = createTranslator(language);

  test(`a failure to send an image is shown, and the image stays (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice } = await openChatroom(newPage, server, { language });
    const { page } = alice;
    const send = page.getByRole('button', { name: localized('composer.sendImage_one') }).last();
    const text = { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear Bob') };
    await chooseImages(page, text);
    await dismissToast(page, localized('composer.imageType'));
    const huge = { ...createPng(1, 1), buffer: Buffer.alloc(10 * 1024 * 1024 + 1) };
    await chooseImages(page, huge);
    await dismissToast(page, localized('composer.imageTooLarge', { size: 10 }));

    // The client accepts this text file by its name and type, but the server rejects it.
    await chooseImages(page, { ...text, name: 'letter.png', mimeType: 'image/png' });
    await send.click();
    await dismissToast(page, localized('composer.imageType'));
    await page.getByRole('button', { name: localized('composer.removeImage') }).click();

    const refusals = [
      [{ status: 500 }, 'composer.imageFailed'],
      [{ status: 507, json: { code: 'storage_full', errorMessage: '' } }, 'composer.storageFull'],
      [{ status: 408, json: { code: 'too_slow', errorMessage: '' } }, 'composer.tooSlow'],
      [{ status: 413 }, 'composer.imageTooLarge'],
    ] as const;
    await chooseImages(page, createPng(60, 40, 'kept.png'));
    for (const [refusal, key] of refusals) {
      await page.route('**/api/upload/image', (route) => route.fulfill(refusal), { times: 1 });
      await send.click();
      await dismissToast(page, localized(key, { size: 10 }));
      await expect(page.getByText('kept.png')).toBeVisible();
    }
    await page.route('**/api/upload/image', (route) => route.abort(), { times: 1 });
    await send.click();
    await dismissToast(page, localized('error.offline'));
    await send.click();
    await expect(messages(page)).toHaveCount(2);
    await expect(page.getByText('kept.png')).toHaveCount(0);
  });
}
