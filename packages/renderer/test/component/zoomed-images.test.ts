import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { holdRequests } from './support/hold-requests.ts';
import { findImageViewer } from './support/image-viewer-dialog.ts';
import { createImageFile, sendMediaAs } from './support/media-files.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { dragMouse } from './support/pointer-input.ts';

const t = createTranslator('en');

const { openers, dialog, image: large } = findImageViewer();

/** Returns the zoom and the offset of the image in the viewer. */
function readView(): { zoom: number; x: number; y: number } {
  const { a: zoom, e: x, f: y } = new DOMMatrix(getComputedStyle(large.element()).transform);
  return { zoom, x, y };
}

test('an image has its final size immediately and opens in the viewer', async () => {
  const { server, room } = await openChatOf('Bob');
  const release = holdRequests(server, 'getMedia');
  await sendMediaAs(server, 'Alice', room, await createImageFile(1_200, 600));
  const image = page.getByCss('[data-message] img');
  await expect.element(image).toHaveAttribute('data-state', 'loading');
  const size = () => {
    const { width, height } = image.element().getBoundingClientRect();
    // Scrolled content is a fraction of a pixel off.
    return { width: Math.round(width), height: Math.round(height) };
  };
  await expect.poll(size).toEqual({ width: 340, height: 170 });
  release();
  await expect.element(image).toHaveProperty('naturalWidth', 1_200);
  await expect.element(image).toHaveAttribute('data-state', 'ready');
  expect(size()).toEqual({ width: 340, height: 170 });

  openers.element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(large).toBeVisible();
  // The image handles keys once it has the focus.
  await expect.element(dialog.getByCss(':focus')).toBeInTheDocument();
  const zoom = () => readView().zoom;
  await userEvent.keyboard('+');
  await expect.poll(zoom).toBe(1.5);
  await userEvent.keyboard('{ArrowRight}0');
  await expect.poll(zoom).toBe(1);
  await dialog.getByRole('button', { name: t('lightbox.zoomIn') }).click();
  await expect.poll(zoom).toBe(1.5);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(openers).toHaveFocus();
});

test('an open image is zoomed and moved with the mouse, and a click beside it closes the viewer', async () => {
  const fit = { zoom: 1, x: 0, y: 0 };
  await openChatOf('Bob', {}, async (server, room) => {
    await sendMediaAs(server, 'Alice', room, await createImageFile(300, 200));
  });
  await openers.dblClick();
  await expect.poll(readView).toEqual(fit);
  await large.click();
  await expect.element(large).toBeVisible();
  await large.dblClick();
  await expect.poll(readView).toEqual({ zoom: 2.5, x: 0, y: 0 });
  await dragMouse([640, 400], [600, 430]);
  await expect.poll(readView).toEqual({ zoom: 2.5, x: -40, y: 30 });
  // The right button opens the browser's menu.
  await dragMouse([600, 430], [700, 500], 'right');
  await expect.poll(readView).toEqual({ zoom: 2.5, x: -40, y: 30 });
  // A part of the image always stays visible.
  await userEvent.keyboard('{ArrowLeft}'.repeat(30));
  await expect.poll(readView).toEqual({ zoom: 2.5, x: 375, y: 30 });
  await large.dblClick();
  await expect.poll(readView).toEqual(fit);
  // The point below the mouse, 50 pixels right of the center and 40 above it, stays in place.
  await large.dblClick({ position: { x: 200, y: 60 } });
  await expect.poll(readView).toEqual({ zoom: 2.5, x: -75, y: 60 });
  await userEvent.keyboard('0');
  await expect.poll(readView).toEqual(fit);
  await page.getByCss('[role=dialog] [role=presentation]').click({ position: { x: 20, y: 300 } });
  await expect.element(dialog).not.toBeInTheDocument();
});
