import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { createChatBetween, messagesSeenBy } from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { expectPath } from './support/expect-path.ts';
import { chatRowOf, messageBox, messageWith } from './support/locators.ts';
import { createImageFile } from './support/media-files.ts';
import { openChatOf, type ShownChat } from './support/open-chat-of.ts';
import { pickFiles, pickSlowFile } from './support/pick-files.ts';

/** Finds the tile of an image by its name. */
const tileOf = (name: string): Locator => page.getByRole('listitem').filter({ hasText: name });

/** Returns the sizes of the images that Bob has received, oldest first, and the texts. */
async function received({ server, room }: ShownChat): Promise<string[]> {
  const messages = await messagesSeenBy(server, 'Bob', room);
  return messages
    .slice(1)
    .map(({ media, content }) => (media ? `${media.width}x${media.height}` : content));
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`an image of a slow source is shown at once, and sending waits for it (${language})`, async () => {
    const chat = await openChatOf('Alice', { language });
    await userEvent.fill(messageBox(), 'Look at these');
    const { resolve } = pickSlowFile(await createImageFile(30, 20, 'cloud.png'));
    await expect.element(tileOf('cloud.png')).toHaveAttribute('aria-busy', 'true');
    await expect.element(page.getByText(t('composer.readingImage'))).toBeVisible();
    pickFiles(await createImageFile(40, 30, 'local.png'));
    await expect.element(tileOf('local.png')).toBeVisible();

    await page.getByRole('button', { name: t('composer.sendImage_other', { count: 2 }) }).click();
    const waiting = page.getByRole('button', { name: t('composer.sendWhenRead_other') });
    await expect.element(waiting).toHaveAttribute('aria-disabled', 'true');
    const status = page.getByRole('status').filter({ hasText: t('composer.sendWhenRead_other') });
    await expect.element(status).toBeInTheDocument();
    expect(await received(chat)).toEqual([]);
    resolve();
    await expect.poll(() => received(chat)).toEqual(['30x20', '40x30', 'Look at these']);
    await expect.element(messageBox()).toHaveValue('');
    await expect.element(tileOf('local.png')).not.toBeInTheDocument();
  });

  test(`a file that cannot be read says so (${language})`, async () => {
    await openChatOf('Alice', { language });
    const { reject } = pickSlowFile(await createImageFile(30, 20, 'cloud.png'));
    await expect.element(tileOf('cloud.png')).toBeVisible();
    reject(new DOMException('The file could not be read', 'NotReadableError'));
    await closeToast(t('composer.imageUnreadable'));
    await expect.element(tileOf('cloud.png')).not.toBeInTheDocument();
  });
}

const t = createTranslator('en');

test('removing an image that is being read cancels it, and the others are sent alone', async () => {
  const chat = await openChatOf('Alice');
  const slow = pickSlowFile(await createImageFile(30, 20, 'cloud.png'));
  pickFiles(await createImageFile(40, 30, 'local.png'));
  await expect.element(tileOf('cloud.png')).toHaveAttribute('aria-busy', 'true');
  await page.getByRole('button', { name: t('composer.sendImage_other', { count: 2 }) }).click();
  await tileOf('cloud.png').getByRole('button').click();
  await expect.element(tileOf('cloud.png')).not.toBeInTheDocument();
  await expect.element(tileOf('local.png')).not.toHaveAttribute('aria-busy');
  await expect.element(messageBox()).toHaveFocus();
  slow.reject(new DOMException('', 'NotReadableError'));
  expect(await received(chat)).toEqual([]);
  await page.getByRole('button', { name: t('composer.sendImage_one') }).click();
  await expect.poll(() => received(chat)).toEqual(['40x30']);
  expect(page.getByRole('alert').elements()).toEqual([]);
});

test('the button of an image keeps the focus when the image has been read', async () => {
  await openChatOf('Alice');
  const slow = pickSlowFile(await createImageFile(30, 20, 'cloud.png'));
  const remove = page.getByRole('button', { name: t('composer.removeImage') });
  await expect.element(remove).toBeVisible();
  (remove.element() as HTMLElement).focus();
  slow.resolve();
  await expect.element(tileOf('cloud.png')).not.toHaveAttribute('aria-busy');
  await expect.element(remove).toHaveFocus();
});

/** Creates a BMP of 48 megapixels, of which only the header is read. */
function createLargeFile(name: string): File {
  const header = new DataView(new ArrayBuffer(54));
  header.setUint16(0, 0x424d);
  header.setUint32(14, 40, true);
  header.setInt32(18, 8_000, true);
  header.setInt32(22, 6_000, true);
  return new File([header.buffer], name, { type: 'image/bmp' });
}

test('images of a chatroom that the user has left are added there, and one that is too large is named', async () => {
  const chat = await openChatOf('Alice', {}, async (server) => {
    await createChatBetween(server, ['Alice', 'Carla'], 'Hi Carla');
  });
  const slow = pickSlowFile(await createImageFile(30, 20, 'cloud.png'));
  const large = pickSlowFile(createLargeFile('large.bmp'));
  await expect.element(tileOf('large.bmp')).toBeVisible();
  await chatRowOf('Carla').click();
  await expect.element(messageWith('Hi Carla')).toBeVisible();
  await expect.element(tileOf('cloud.png')).not.toBeInTheDocument();
  slow.resolve();
  large.resolve();
  await closeToast(t('smallerCopy.left', { name: 'large.bmp' }));
  await chatRowOf('Bob').click();
  await expect.element(tileOf('cloud.png')).not.toHaveAttribute('aria-busy');
  await page.getByRole('button', { name: t('composer.sendImage_one') }).click();
  await expect.poll(() => received(chat)).toEqual(['30x20']);
});

test('an image that is being read at a logout is added nowhere', async () => {
  await openChatOf('Alice');
  const slow = pickSlowFile(await createImageFile(30, 20, 'cloud.png'));
  await expect.element(tileOf('cloud.png')).toBeVisible();
  await page.getByRole('button', { name: t('frame.menu', { name: 'Alice' }) }).click();
  await page.getByRole('menuitem', { name: t('frame.logout') }).click();
  await expectPath('/');
  slow.reject(new DOMException('', 'NotReadableError'));
  await expect(slow.promise).rejects.toThrow();
  expect(page.getByRole('alert').elements()).toEqual([]);
});
