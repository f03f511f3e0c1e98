import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { actAs, messagesSeenBy } from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { holdRequests } from './support/hold-requests.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { createBmpFile, createImageFile } from './support/media-files.ts';
import { openChatOf, type ShownChat } from './support/open-chat-of.ts';
import { dropFileOn, pickFiles } from './support/pick-files.ts';
import { noResponse } from './support/no-response.ts';

const t = createTranslator('en');

const tiles = () => page.getByRole('list', { name: t('composer.images') }).getByRole('listitem');

const sendButton = (count: number): Locator =>
  page.getByRole('button', {
    name: count === 1 ? t('composer.sendImage_one') : t('composer.sendImage_other', { count }),
  });

async function expectTiles(...names: string[]): Promise<void> {
  const expected = names.map((name) => expect.stringMatching(`^${name}`) as string);
  const texts = () =>
    tiles()
      .elements()
      .map(({ textContent }) => textContent);
  await expect.poll(texts).toEqual(expected);
}

/** Returns the sizes of the images that Bob has received, oldest first. */
async function receivedSizes({ server, room: id }: ShownChat): Promise<string[]> {
  const messages = await messagesSeenBy(server, 'Bob', id);
  return messages.flatMap(({ media }) => (media ? [`${media.width}x${media.height}`] : []));
}

/** Returns the natural widths of the shown images, oldest first. */
const shownWidths = () =>
  page
    .getByRole('img', { name: t('message.ownImage'), exact: false })
    .elements()
    .map((image) => (image as HTMLImageElement).naturalWidth);

test('several images are sent in order; a failed one stays with those after it', async () => {
  const chat = await openChatOf('Alice');
  pickFiles(await createImageFile(300, 100, 'wide.png'), await createImageFile(9, 9, 'wrong.png'));
  await expect.element(tiles().nth(1)).toBeVisible();
  dropFileOn(await createImageFile(150, 300, 'high.png'));
  await expectTiles('wide.png', 'wrong.png', 'high.png');
  await tiles().filter({ hasText: 'wrong.png' }).getByRole('button').click();
  await expectTiles('wide.png', 'high.png');
  await expect.element(messageBox()).toHaveFocus();

  let uploads = 0;
  chat.server.intercept('uploadImage', (_, next) => {
    uploads += 1;
    if (uploads === 2) return noResponse();
    return next();
  });
  await sendButton(2).click();
  await closeToast(t('error.offline'));
  await expectTiles('high.png');
  await sendButton(1).click();
  await expectTiles();
  await expect.poll(() => receivedSizes(chat)).toEqual(['300x100', '150x300']);
  await expect.poll(shownWidths).toEqual([300, 150]);
  expect(uploads).toBe(3);

  const names = Array.from({ length: 11 }, (_, index) => `${index}.png`);
  pickFiles(...(await Promise.all(names.map((name) => createImageFile(10, 10, name)))));
  await closeToast(t('composer.imagesTooMany', { count: 10 }));
  await expectTiles(...names.slice(0, 10));
});

test('a BMP can be chosen and sent, and its message shows it', async () => {
  const chat = await openChatOf('Alice');
  const input = page.getByCss('input[type=file]').element() as HTMLInputElement;
  expect(input.accept.split(',')).toContain('image/bmp');
  pickFiles(createBmpFile(120, 80));
  await expectTiles('picture.bmp');
  await sendButton(1).click();
  await expectTiles();
  await expect.poll(() => receivedSizes(chat)).toEqual(['120x80']);
  await expect.poll(shownWidths).toEqual([120]);
});

test('images without an extension are told by their bytes, and keep their order', async () => {
  const chat = await openChatOf('Alice');
  const jpeg = await createImageFile(90, 60, 'photo', 'seagreen', 'image/jpeg');
  pickFiles(new File([jpeg], 'photo'), new File([await createImageFile(70, 50)], 'drawing'));
  dropFileOn(new File([createBmpFile(50, 40)], 'scan.tmp', { type: 'application/x-tmp' }));
  await expectTiles('photo', 'drawing', 'scan.tmp');
  await sendButton(3).click();
  await expect.poll(shownWidths).toEqual([90, 70, 50]);
  // The memory server does not read the size of a JPEG.
  await expect.poll(() => receivedSizes(chat)).toEqual(['70x50', '50x40']);
});

test('text and more images can be sent during an upload', async () => {
  const chat = await openChatOf('Alice');
  const uploads = page.getByCss('article progress');
  const release = holdRequests(chat.server, 'uploadImage');
  pickFiles(
    await createImageFile(300, 100, 'wide.png'),
    await createImageFile(90, 90, 'square.png'),
  );
  await sendButton(2).click();
  await expect.element(messageBox()).toHaveFocus();
  await expect.poll(() => uploads.elements()).toHaveLength(2);
  await expect.element(page.getByText(/^Uploading, \d+%$/)).toBeVisible();

  await messageBox().fill('Look at these');
  await userEvent.keyboard('{Enter}');
  await expect.element(messageWith('Look at these')).toHaveAttribute('data-state', 'sent');
  pickFiles(await createImageFile(150, 300, 'high.png'));
  await expect.element(page.getByText('high.png')).toBeVisible();
  await sendButton(1).click();
  await expect.poll(() => uploads.elements()).toHaveLength(3);
  release();
  await expect.element(uploads).not.toBeInTheDocument();
  await expect.poll(shownWidths).toEqual([300, 90, 150]);
  await expect.poll(() => receivedSizes(chat)).toEqual(['300x100', '90x90', '150x300']);
});

test('the remaining images are discarded if the partner deletes the account during an upload', async () => {
  const { server } = await openChatOf('Alice');
  const held = Promise.withResolvers<void>();
  let uploads = 0;
  server.intercept('uploadImage', async (_, next) => {
    uploads += 1;
    await held.promise;
    return next();
  });
  pickFiles(
    await createImageFile(30, 30, 'first.png'),
    await createImageFile(40, 40, 'second.png'),
  );
  await expectTiles('first.png', 'second.png');
  messageBox().element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText(/^Uploading, \d+%$/)).toBeVisible();
  await actAs(server, 'Bob').call('deleteAccount');
  await expect.element(page.getByText(t('room.partnerDeletedNote'))).toBeVisible();
  held.resolve();
  await closeToast(t('room.partnerDeleted'));
  await expectTiles();
  expect(page.getByCss('[data-message]').elements()).toHaveLength(1);
  expect(uploads).toBe(1);
});

test('chosen images are hidden while a message is edited, and none can be added', async () => {
  await openChatOf('Alice');
  pickFiles(await createImageFile(60, 40, 'waits.png'));
  await expect.element(page.getByText('waits.png')).toBeVisible();
  await messageWith('Hello Bob!').hover();
  await page.getByRole('button', { name: t('message.edit') }).click();
  await expect.element(page.getByText('waits.png')).not.toBeInTheDocument();
  dropFileOn(await createImageFile(50, 50, 'refused.png'));
  await messageBox().fill('Hello again!');
  await page.getByRole('button', { name: t('composer.save') }).click();
  await expect.element(messageWith('Hello again!')).toBeVisible();
  await expect.element(page.getByText('waits.png')).toBeVisible();
  await expect.element(page.getByText('refused.png')).not.toBeInTheDocument();
  expect(page.getByCss('[data-message]').elements()).toHaveLength(1);
});

test('a file dropped outside the chatroom does not replace the page', async () => {
  await openChatOf('Alice');
  const file = await createImageFile(30, 20, 'stray.png');
  expect(dropFileOn(file, 'header')).toEqual([false, false]);
  await expect.element(page.getByText('stray.png')).not.toBeInTheDocument();
  expect(dropFileOn(file)).toEqual([false, false]);
  await expect.element(page.getByText('stray.png')).toBeVisible();
});
