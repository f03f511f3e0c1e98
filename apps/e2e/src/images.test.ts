import type { Locator } from 'playwright/test';
import { chatRow, messages } from './support/chat.ts';
import { createPng } from './support/files.ts';
import { chooseImages, insertFile } from './support/media.ts';
import { openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

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
