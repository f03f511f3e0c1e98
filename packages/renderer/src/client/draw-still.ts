import { ANIMATION_LIMITS, isAnimationWithin } from '@parley/contract';
import { readImageCost } from './read-image-cost.ts';

/**
 * Draws the first frame of an animation that is too long, too large or too fast to be played before the user wants
 * it. Resolves to undefined for any other image.
 */
export async function drawStill(file: Blob): Promise<Blob | undefined> {
  const cost = readImageCost(new Uint8Array(await file.arrayBuffer()));
  if (cost === undefined || isAnimationWithin(ANIMATION_LIMITS.automatic, cost)) return undefined;
  const frame = await createImageBitmap(file);
  const canvas = new OffscreenCanvas(frame.width, frame.height);
  canvas.getContext('2d')?.drawImage(frame, 0, 0);
  frame.close();
  return canvas.convertToBlob();
}
