import { ANIMATION_LIMITS, isAnimationWithin } from '@parley/contract';
import { readImageCost } from './read-image-cost.ts';

/** The types of images that can be animations. */
const ANIMATED_TYPES: ReadonlySet<string> = new Set(['image/gif', 'image/png', 'image/webp']);

/**
 * Draws the first frame of an animation that is too long, too large or too fast to be played before the user wants
 * it. Resolves to undefined for any other file, and if the browser cannot draw it.
 */
export async function drawStill(file: Blob): Promise<Blob | undefined> {
  if (!ANIMATED_TYPES.has(file.type)) return undefined;
  try {
    const cost = await readImageCost(file);
    if (cost === undefined || isAnimationWithin(ANIMATION_LIMITS.automatic, cost)) return undefined;
    const frame = await createImageBitmap(file);
    const canvas = new OffscreenCanvas(frame.width, frame.height);
    canvas.getContext('2d')?.drawImage(frame, 0, 0);
    frame.close();
    return await canvas.convertToBlob();
  } catch {
    // The element shows what it can.
    return undefined;
  }
}
