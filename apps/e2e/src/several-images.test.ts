import { message, messages } from './support/chat.ts';
import { createPng } from './support/files.ts';
import { chooseImages, insertFile } from './support/media.ts';
import { openChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';
import { dismissToast } from './support/dismiss-toast.ts';

const t = createTranslator('en');

test('several images are sent in order; a failed one stays with those after it', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  const tiles = page.getByRole('list', { name: t('composer.images') }).getByRole('listitem');
  const tile = (name: string) => tiles.filter({ hasText: name });
  const received = bob.page.getByRole('img', { name: t('message.image', { name: 'Alice' }) });
  const ratios = () =>
    received.evaluateAll((all) =>
      all.map(
        (image) => Number(image.getAttribute('width')) / Number(image.getAttribute('height')),
      ),
    );

  await chooseImages(page, createPng(300, 100, 'wide.png'), createPng(90, 90, 'wrong.png'));
  await insertFile(page, 'drop', createPng(150, 300, 'high.png'));
  await expect(tiles).toHaveText([/^wide\.png/, /^wrong\.png/, /^high\.png/]);
  await tile('wrong.png').getByRole('button').click();
  await expect(tiles).toHaveCount(2);
  await expect(page.getByRole('textbox')).toBeFocused();

  const uploads: string[] = [];
  await page.route('**/api/upload/image', async (route) => {
    uploads.push(route.request().url());
    await (uploads.length === 2 ? route.abort() : route.continue());
  });
  await page.getByRole('button', { name: t('composer.sendImage_other', { count: 2 }) }).click();
  await dismissToast(page, t('error.offline'));
  await expect(tiles).toHaveText([/^high\.png/]);
  await page.getByRole('button', { name: t('composer.sendImage_one') }).click();
  await expect(tiles).toHaveCount(0);
  await expect.poll(ratios).toEqual([3, 0.5]);
  expect(uploads).toHaveLength(3);

  const many = Array.from({ length: 11 }, (_, index) => createPng(10, 10, `${index}.png`));
  await chooseImages(page, ...many);
  await dismissToast(page, t('composer.imagesTooMany', { count: 10 }));
  await expect(tiles).toHaveCount(10);
});

test('text and more images can be sent during an upload', async ({ server, newPage }) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  const box = page.getByRole('textbox');
  const uploads = page.locator('article progress');
  const received = bob.page.getByRole('img', { name: t('message.image', { name: 'Alice' }) });
  const held = Promise.withResolvers<void>();
  await page.route('**/api/upload/image', async (route) => {
    await held.promise;
    await route.continue();
  });
  await chooseImages(page, createPng(300, 100, 'wide.png'), createPng(90, 90, 'square.png'));
  await page.getByRole('button', { name: t('composer.sendImage_other', { count: 2 }) }).click();
  await expect(box).toBeFocused();
  await expect(page.getByText(/^Uploading, \d+%$/)).toHaveCount(1);
  await expect(uploads).toHaveCount(2);

  await box.fill('Look at these');
  await box.press('Enter');
  await expect(message(bob.page, 'Look at these')).toBeVisible();
  await chooseImages(page, createPng(150, 300, 'high.png'));
  await expect(page.getByText('high.png')).toBeVisible();
  await page.getByRole('button', { name: t('composer.sendImage_one') }).click();
  await expect(uploads).toHaveCount(3);
  held.resolve();
  await expect(uploads).toHaveCount(0);
  await expect(received).toHaveCount(3);
  const widths = () =>
    received.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth));
  await expect.poll(widths).toEqual([300, 90, 150]);
});

test('the remaining images are discarded if the partner deletes the account during an upload', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server, { bobOpens: 'nothing' });
  const { page } = alice;
  const held = Promise.withResolvers<void>();
  let uploads = 0;
  await page.route('**/api/upload/image', async (route) => {
    uploads += 1;
    await held.promise;
    await route.continue();
  });
  await chooseImages(page, createPng(30, 30, 'first.png'), createPng(40, 40, 'second.png'));
  await page.getByRole('textbox').press('Enter');
  await expect(page.getByText(/^Uploading, \d+%$/)).toBeVisible();
  await bob.page.request.delete('/api/users/delete');
  await expect(page.getByText(t('room.partnerDeletedNote'))).toBeVisible();
  held.resolve();
  await dismissToast(page, t('room.partnerDeleted'));
  await expect(page.getByRole('list', { name: t('composer.images') })).toHaveCount(0);
  await expect(messages(page)).toHaveCount(1);
  expect(uploads).toBe(1);
});

test('chosen images are hidden while a message is edited, and none can be added', async ({
  server,
  newPage,
}) => {
  const { alice } = await openChatroom(newPage, server);
  const { page } = alice;
  await chooseImages(page, createPng(60, 40, 'waits.png'));
  await message(page, 'Hello Bob!').hover();
  await page.getByRole('button', { name: t('message.edit') }).click();
  await insertFile(page, 'drop', createPng(50, 50, 'refused.png'));
  await expect(page.getByText('waits.png')).toHaveCount(0);
  await page.getByRole('textbox').fill('Hello again!');
  await page.getByRole('button', { name: t('composer.save') }).click();
  await expect(message(page, 'Hello again!')).toBeVisible();
  await expect(page.getByText('waits.png')).toBeVisible();
  await expect(page.getByText('refused.png')).toHaveCount(0);
  await expect(messages(page)).toHaveCount(1);
});

test('a file dropped outside the chatroom does not replace the page', async ({
  server,
  newPage,
}) => {
  const { alice } = await openChatroom(newPage, server);
  const { page } = alice;
  // Returns for each event whether the browser would open a file that is dropped there.
  const dropFile = (where: string) =>
    page.locator(where).evaluate((element) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['picture'], 'stray.png', { type: 'image/png' }));
      const init = { bubbles: true, cancelable: true, dataTransfer };
      return ['dragover', 'drop'].map((name) => element.dispatchEvent(new DragEvent(name, init)));
    });
  expect(await dropFile('header >> nth=0')).toEqual([false, false]);
  await expect(page.getByText('stray.png')).toHaveCount(0);
  expect(await dropFile('main section >> nth=0')).toEqual([false, false]);
  await expect(page.getByText('stray.png')).toBeVisible();
});
