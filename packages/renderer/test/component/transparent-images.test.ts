import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { focusOn } from './support/focus-on.ts';
import { findImageViewer } from './support/image-viewer-dialog.ts';
import { createImageFile, sendMediaAs } from './support/media-files.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { takePagePicture } from './support/page-picture.ts';
import { pickFiles } from './support/pick-files.ts';

/** Brightness of a gray that black lines stand out from, of 255. */
const LIGHT = 150;

/** Returns the shades of gray in the middle of an element, from dark to light. */
async function shadesOf(element: Locator): Promise<number[]> {
  const bitmap = await takePagePicture(element);
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  context?.drawImage(bitmap, 0, 0);
  const [x, y] = [Math.floor(bitmap.width / 4), Math.floor(bitmap.height / 4)];
  const { data = [] } = context?.getImageData(x, y, x * 2, y * 2) ?? {};
  const shades = Array.from({ length: data.length / 4 }, (_, i) => data[i * 4] ?? 0);
  return [...new Set(shades)].toSorted((a, b) => a - b);
}

async function expectLightGround(element: Locator): Promise<void> {
  await expect.poll(async () => (await shadesOf(element))[0]).toBeGreaterThan(LIGHT);
  // Chequered, so that white lines stand out, too.
  const shades = await shadesOf(element);
  expect((shades.at(-1) ?? 0) - (shades[0] ?? 0)).toBeGreaterThan(20);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`transparent images lie on a light ground (${colorScheme})`, async () => {
    const clear = await createImageFile(240, 200, 'clear.png', 'transparent');
    await openChatOf('Bob', { colorScheme }, async (server, room) => {
      await sendMediaAs(server, 'Alice', room, clear);
      await sendMediaAs(server, 'Alice', room, await createImageFile(24, 24, 'icon.png', 'black'));
    });
    const { openers, dialog, image } = findImageViewer();
    await expectLightGround(openers.first());

    pickFiles(clear);
    await expectLightGround(page.getByCss('[title="clear.png"] img'));

    // An opaque image shows nothing of it, nor does the frame of a small one.
    const small = openers.nth(1).getByRole('img');
    await expect.element(small).toHaveAttribute('data-state', 'ready');
    await expect.poll(() => shadesOf(small)).toEqual([0]);
    expect(small.element().clientWidth).toBe(24);

    focusOn(openers.first());
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog).toBeVisible();
    await expectLightGround(image);
    await userEvent.keyboard('+');
    await expectLightGround(image);
  });
}
