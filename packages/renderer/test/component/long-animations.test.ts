import type { PublicConfig } from '@parley/contract';
import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { addOtherHost } from './support/api-network.ts';
import { focusOn } from './support/focus-on.ts';
import { findImageViewer } from './support/image-viewer-dialog.ts';
import { sendMediaAs } from './support/media-files.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { pickFiles } from './support/pick-files.ts';

/** Creates a GIF with frames of one pixel, each for a tenth of a second. */
function createGif(width: number, height: number, frames: number, name: string): File {
  const screen = new DataView(new ArrayBuffer(19));
  new TextEncoder().encodeInto('GIF89a', new Uint8Array(screen.buffer));
  screen.setUint16(6, width, true);
  screen.setUint16(8, height, true);
  // Two colors: black and white.
  screen.setUint8(10, 0x80);
  for (const at of [16, 17, 18]) screen.setUint8(at, 0xff);
  const control = [0x21, 0xf9, 4, 0, 10, 0, 0, 0];
  const frame = [...control, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
  const body = Array.from({ length: frames }, () => frame).flat();
  return new File([screen.buffer, Uint8Array.from([...body, 0x3b])], name, { type: 'image/gif' });
}

/** Returns the type of the file that an element shows. */
async function shownType(image: Locator): Promise<string> {
  const { src } = image.element() as HTMLImageElement;
  return src === '' ? '' : (await (await fetch(src)).blob()).type;
}

const expectType = (image: Locator, type: string) => expect.poll(() => shownType(image)).toBe(type);

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`long animations show their first frame and play on demand (${language})`, async () => {
    const { reload } = await openChatOf('Bob', { language }, async (server, room) => {
      await sendMediaAs(server, 'Alice', room, createGif(1_920, 1_080, 600, 'minute.gif'));
      await sendMediaAs(server, 'Alice', room, createGif(3_000, 2_000, 20, 'large.gif'));
      await sendMediaAs(server, 'Alice', room, createGif(300, 200, 20, 'short.gif'));
    });
    const play = page.getByRole('button', { name: t('message.playAnimation'), exact: false });
    const { openers, dialog, image, position } = findImageViewer(language);
    for (const index of [0, 1]) {
      await expectType(play.nth(index).getByRole('img'), 'image/png');
      await expect.element(play.nth(index).getByCss('svg')).toBeVisible();
    }
    expect(play.elements()).toHaveLength(2);
    // A short one plays by itself.
    await expectType(openers.getByRole('img'), 'image/gif');
    expect(openers.elements()).toHaveLength(1);

    focusOn(play.first());
    await userEvent.keyboard('{Enter}');
    await expectType(image, 'image/gif');
    await expect.element(image).toHaveProperty('naturalWidth', 1_920);
    await userEvent.keyboard('{ArrowRight}');
    await expect.element(position(2)).toBeVisible();
    await expect.element(image).toHaveProperty('naturalWidth', 3_000);
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(play.nth(1)).toHaveFocus();
    await expectType(play.first().getByRole('img'), 'image/png');

    pickFiles(createGif(3_000, 2_000, 20, 'chosen.gif'));
    const chosen = page.getByCss('[title="chosen.gif"] img');
    await expect.element(chosen).toHaveProperty('naturalWidth', 3_000);
    await expectType(chosen, 'image/png');
    await reload();
    await expect.element(chosen).toHaveProperty('naturalWidth', 3_000);
    await expectType(chosen, 'image/png');
  });
}

test('long animations of another host that scripts cannot read do not play by themselves either', async () => {
  const t = createTranslator('en');
  const asked: string[] = [];
  await openChatOf('Bob', {}, async (server, room) => {
    server.intercept('getConfig', async (_, next) => {
      const config = (await (await next()).json()) as PublicConfig;
      return Response.json({ ...config, mediaBase: 'https://media.example/parley/' });
    });
    // The response to a request without CORS.
    addOtherHost(({ url }) => {
      asked.push(url);
      return Response.error();
    });
    await sendMediaAs(server, 'Alice', room, createGif(1_920, 1_080, 600, 'minute.gif'));
  });
  const play = page.getByRole('button', { name: t('message.playAnimation'), exact: false });
  await expectType(play.getByRole('img'), 'image/png');
  expect(asked).toEqual([expect.stringMatching(/^https:\/\/media\.example\/parley\/.*\.gif$/)]);
  await play.click();
  const { image } = findImageViewer();
  await expectType(image, 'image/gif');
});
