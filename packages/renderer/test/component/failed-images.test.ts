import { errorResponse } from '@parley/memory-server';
import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { closeToast } from './support/close-toast.ts';
import { createImageFile, createRecordingFile, sendMediaAs } from './support/media-files.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { pickFiles } from './support/pick-files.ts';
import { noResponse } from './support/no-response.ts';

test('an image and a recording that cannot be loaded show an error, and load after a reconnect', async () => {
  const t = createTranslator('en');
  const { server, room, browser } = await openChatOf('Bob');
  const restore = server.intercept('getMedia', noResponse);
  await sendMediaAs(server, 'Alice', room, await createImageFile(300, 200));
  await sendMediaAs(server, 'Alice', room, createRecordingFile(3));
  await expect.element(page.getByText(t('message.imageBroken'))).toBeVisible();
  const play = page.getByRole('button', { name: t('audio.play') });
  // A recording is only fetched when it is played.
  await play.click();
  await expect.element(page.getByText(t('audio.broken'))).toBeVisible();
  browser.setOnline(false);
  await expect.element(page.getByText(t('connection.offline'))).toBeVisible();
  restore();
  browser.setOnline(true);
  const open = page.getByRole('button', { name: t('message.openImage'), exact: false });
  await expect.element(open).toBeVisible();
  await expect.element(play).toBeVisible();
  await expect.element(page.getByText(t('message.imageBroken'))).not.toBeInTheDocument();
});

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`a failure to send an image is shown, and the image stays (${language})`, async () => {
    const { server } = await openChatOf('Alice', { language });
    const send = page.getByRole('button', { name: t('composer.sendImage_one') });
    pickFiles(new File(['Dear Bob'], 'letter.txt', { type: 'text/plain' }));
    await closeToast(t('composer.imageType'));
    pickFiles(new File(['Dear Bob'], 'letter.png', { type: 'image/png' }));
    await closeToast(t('composer.imageType'));
    pickFiles(new File([], 'nothing.png', { type: 'image/png' }));
    await closeToast(t('composer.imageEmpty'));
    pickFiles(
      new File(['<svg>'.padEnd(10 * 1024 * 1024 + 1)], 'huge.svg', { type: 'image/svg+xml' }),
    );
    await closeToast(t('composer.imageTooLarge', { size: 10 }));

    pickFiles(await createImageFile(60, 40, 'kept.png'));
    const kept = page.getByText('kept.png');
    for (const [refuse, key] of [
      [() => new Response(null, { status: 500 }), 'composer.imageFailed'],
      [() => errorResponse('storage_full'), 'composer.storageFull'],
      [() => errorResponse('too_slow'), 'composer.tooSlow'],
      [() => errorResponse('too_large'), 'smallerCopy.offer'],
      [() => errorResponse('unsupported_media'), 'composer.imageType'],
      [() => errorResponse('media_too_complex'), 'smallerCopy.offer'],
      [() => new Response(null, { status: 413 }), 'cause.proxyTooLarge'],
      [noResponse, 'error.offline'],
    ] as const) {
      const restore = server.intercept('uploadImage', refuse);
      await send.click();
      await closeToast(t(key, { name: 'kept.png' }));
      await expect.element(kept).toBeVisible();
      restore();
    }
    await send.click();
    await expect.element(kept).not.toBeInTheDocument();
    await expect.poll(() => page.getByCss('[data-message]').elements()).toHaveLength(2);
  });
}
