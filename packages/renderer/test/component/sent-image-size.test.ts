import { createTranslator } from '@parley/texts/translator';
import { expect, test, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { sendTextAs } from './support/act-as.ts';
import { holdRequests } from './support/hold-requests.ts';
import { messageBox } from './support/locators.ts';
import { createImageFile } from './support/media-files.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { pickFiles } from './support/pick-files.ts';

const t = createTranslator('en');
const list = page.getByRole('region', { name: t('room.messages', { name: 'Bob' }) });

/** Returns where a message is, and how far the list has scrolled. */
function place(bubble: Locator): number[] {
  const { left, top, width, height } = bubble.element().getBoundingClientRect();
  return [left, top, width, height, list.element().scrollTop].map(Math.round);
}

const FILES: readonly (readonly [name: string, create: () => Promise<File>])[] = [
  ['a tall picture', () => createImageFile(300, 700)],
  ['a wide picture', () => createImageFile(800, 200)],
  ['a small picture', () => createImageFile(40, 30)],
];

test.each(FILES)(
  '%s has its place and size before, during and after its upload',
  async (_, create) => {
    const { server } = await openChatOf('Alice', { reducedMotion: true }, async (memory, room) => {
      for (let i = 1; i <= 12; i += 1) await sendTextAs(memory, 'Bob', room, `Line ${i}.`);
    });
    // What the device shows of the file arrives late, or never.
    const preview = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:none');
    const releaseUpload = holdRequests(server, 'uploadImage');
    const releaseSend = holdRequests(server, 'sendMessage');
    pickFiles(await create());
    await page.getByRole('button', { name: t('composer.sendImage_one') }).click();
    const bubble = page.getByRole('article').last().getByCss('[data-message]');
    await expect.element(bubble).toHaveAttribute('data-state', 'sending');
    // The composer becomes lower without the image.
    await expect
      .poll(() => {
        const { scrollHeight, scrollTop, clientHeight } = list.element();
        return scrollHeight - scrollTop - clientHeight;
      })
      .toBeLessThan(2);
    const before = place(bubble);
    preview.mockRestore();
    releaseUpload();
    await expect.element(bubble.getByCss('progress')).not.toBeInTheDocument();
    expect(place(bubble)).toEqual(before);
    releaseSend();
    await expect.element(bubble).toHaveAttribute('data-state', 'sent');
    await expect.element(bubble.getByCss('img[data-state="ready"]')).toBeInTheDocument();
    expect(place(bubble)).toEqual(before);
  },
);

test('pictures with a caption have their place and size before and after their upload', async () => {
  const { server } = await openChatOf('Alice', { reducedMotion: true });
  const release = holdRequests(server, 'uploadImage');
  pickFiles(await createImageFile(120, 90));
  await userEvent.fill(messageBox(), 'A caption');
  await page.getByRole('button', { name: t('composer.sendImage_one') }).click();
  const [picture, caption] = [-2, -1].map((index) =>
    page.getByRole('article').nth(index).getByCss('[data-message]'),
  );
  if (!picture || !caption) throw new Error('no messages');
  await expect.element(picture).toHaveAttribute('data-state', 'sending');
  await expect.element(caption).toMatchTextContent(/A caption/);
  const before = [place(picture), place(caption)];
  release();
  await expect.element(caption).toHaveAttribute('data-state', 'sent');
  await expect.element(picture).toHaveAttribute('data-state', 'sent');
  expect([place(picture), place(caption)]).toEqual(before);
});
