import { errorResponse } from '@parley/memory-server';
import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { messagesSeenBy } from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { messageBox } from './support/locators.ts';
import { createImageFile } from './support/media-files.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { pickFiles } from './support/pick-files.ts';

/** Creates a BMP with one bit for each pixel, all of them black. */
function createScan(width: number, height: number, name: string): File {
  const header = new DataView(new ArrayBuffer(62));
  new TextEncoder().encodeInto('BM', new Uint8Array(header.buffer));
  header.setUint32(10, 62, true);
  header.setUint32(14, 40, true);
  header.setInt32(18, width, true);
  header.setInt32(22, height, true);
  header.setUint16(26, 1, true);
  header.setUint16(28, 1, true);
  // The second color is white.
  header.setUint32(58, 0xffffff, true);
  const rows = new Uint8Array(Math.ceil(width / 32) * 4 * height);
  return new File([header.buffer, rows], name, { type: 'image/bmp' });
}

/** Appends zeros to a file, which no program shows, by default so many that it is too large. */
const withZeros = (file: File, bytes = 10 * 1024 * 1024): File =>
  new File([file, new Uint8Array(bytes)], file.name, { type: file.type });

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const dialog = page.getByRole('alertdialog');

  test(`a smaller copy of an image that is too large is offered and sent (${language})`, async () => {
    const { server, room } = await openChatOf('Alice', { language });
    const images = page.getByRole('list', { name: t('composer.images') }).getByRole('listitem');
    const large = createScan(7_000, 6_500, 'board.bmp');

    pickFiles(large);
    await expect.element(dialog).toHaveAccessibleName(t('smallerCopy.title_one'));
    const format = (value: number) => new Intl.NumberFormat(language).format(value);
    const size = t('smallerCopy.size', { megapixels: format(45.5), size: `${format(5.7)} MB` });
    await expect.element(dialog.getByText(size)).toBeVisible();
    const cancel = dialog.getByRole('button', { name: t('app.cancel') });
    await expect.element(cancel).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(messageBox()).toHaveFocus();
    expect(images.elements()).toEqual([]);

    // Copies take the places of their originals.
    pickFiles(
      large,
      withZeros(await createImageFile(60, 40, 'fits.png'), 2_400_000),
      withZeros(await createImageFile(90, 70, 'bytes.png')),
    );
    await expect.element(dialog).toHaveAccessibleName(t('smallerCopy.title_other'));
    await dialog.getByRole('button', { name: t('smallerCopy.confirm_other') }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    const names = () => images.elements().map((image) => image.getAttribute('title'));
    await expect.poll(names).toEqual(['board.png', 'fits.png', 'bytes.png']);
    await expect.element(images.nth(1)).toHaveTextContent(`fits.png${format(2.4)} MB`);
    await page.getByRole('button', { name: t('composer.sendImage_other', { count: 3 }) }).click();
    const sizes = async () => {
      const messages = await messagesSeenBy(server, 'Bob', room);
      return messages.flatMap(({ media }) => (media ? [`${media.width}x${media.height}`] : []));
    };
    await expect.poll(sizes).toEqual(['4150x3854', '60x40', '90x70']);
  });

  test(`an image of which no copy can be made is refused (${language})`, async () => {
    await openChatOf('Alice', { language });
    const png = await createImageFile(60, 40, 'damaged.png');
    pickFiles(withZeros(new File([png.slice(0, 40)], png.name, { type: png.type })));
    await dialog.getByRole('button', { name: t('smallerCopy.confirm_one') }).click();
    await closeToast(t('smallerCopy.failed', { name: 'damaged.png' }));
    await expect.element(dialog).not.toBeInTheDocument();
    pickFiles(createScan(60_000, 1_000, 'huge.bmp'), createScan(16_000, 8_000, 'vast.bmp'));
    await dialog.getByRole('button', { name: t('app.cancel') }).click();
    await closeToast(t('composer.imageTooLarge', { size: 10 }));
  });

  test(`a smaller copy of an image that only the server refuses is offered and sent (${language})`, async () => {
    const { server, room } = await openChatOf('Alice', { language });
    const drawing = new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'drawing.svg');
    const restore = server.intercept('uploadImage', () => errorResponse('media_too_complex'));
    const offered = page.getByRole('button', { name: t('smallerCopy.send') });

    pickFiles(drawing);
    await page.getByRole('button', { name: t('composer.sendImage_one') }).click();
    await closeToast(t('composer.imageTooComplex'));
    await page.getByRole('button', { name: t('composer.removeImage') }).click();

    pickFiles(createScan(2_000, 1_500, 'scan.bmp'), await createImageFile(60, 40, 'fits.png'));
    await userEvent.fill(messageBox(), 'Look');
    await page.getByRole('button', { name: t('composer.sendImage_other', { count: 2 }) }).click();
    await closeToast(t('smallerCopy.offer', { name: 'scan.bmp' }));
    await expect.element(messageBox()).toHaveValue('Look');
    await expect.element(offered).toBeVisible();
    restore();
    await offered.click();
    const received = async () => {
      const messages = await messagesSeenBy(server, 'Bob', room);
      return messages
        .slice(1)
        .map(({ media, content }) => (media ? `${media.width}x${media.height}` : content));
    };
    await expect.poll(received).toEqual(['2000x1500', '60x40', 'Look']);
    await expect.element(offered).not.toBeInTheDocument();
    await expect.element(messageBox()).toHaveFocus();
    await expect.element(messageBox()).toHaveValue('');
  });
}
