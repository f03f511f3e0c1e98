import { expect, test } from 'vitest';
import { findImageViewer, openThreeImages } from './support/image-viewer-dialog.ts';
import { swipeFinger } from './support/pointer-input.ts';
import { tap } from './support/tap.ts';

test('swiping sideways switches images, and swiping down closes the viewer', async () => {
  await openThreeImages({ viewport: { width: 360, height: 740 } });
  const { openers, dialog, position } = findImageViewer();
  await expect.element(openers.nth(2)).toBeVisible();
  await tap(openers.nth(1));
  await expect.element(position(2)).toBeVisible();
  await swipeFinger([260, 370], [80, 380]);
  await expect.element(position(3)).toBeVisible();
  await swipeFinger([80, 370], [260, 360]);
  await expect.element(position(2)).toBeVisible();
  // This swipe is too short to have an effect.
  await swipeFinger([180, 370], [180, 400]);
  await expect.element(position(2)).toBeVisible();
  await swipeFinger([180, 300], [190, 520]);
  await expect.element(dialog).not.toBeInTheDocument();
});
