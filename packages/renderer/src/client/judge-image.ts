import {
  ANIMATION_LIMITS,
  isAnimationWithin,
  isCheapImage,
  LIMITS,
  type ImageRefusal,
} from '@parley/contract';
import { sizeOf, type ImageSize } from './measure-image.ts';
import { readImageCost, type ImageCost } from './read-image-cost.ts';

/** Maximum size of a file of which a copy is made, in bytes and in pixels: the device decodes the whole image. */
const ORIGINAL_BYTES_MAX = 64 * 1024 * 1024;
const ORIGINAL_PIXELS_MAX = 120_000_000;

/** Whether an image can be sent, if need be as a smaller copy, or why it cannot. */
export type Sendability =
  | {
      readonly state: 'sendable';
      /** In pixels, as displayed; undefined if the file was not read for it, as with an SVG. */
      readonly size: ImageSize | undefined;
    }
  | { readonly state: 'shrinkable'; readonly megapixels: number }
  | {
      readonly state: 'refused';
      readonly reason: Exclude<ImageRefusal, 'type' | 'empty'> | 'complex';
    };

/** Resolves to whether an image of a known type can be sent. */
export async function judgeImage(file: Blob): Promise<Sendability> {
  const isTooLarge = file.size > LIMITS.imageBytesMax;
  const refused = { state: 'refused', reason: isTooLarge ? 'size' : 'complex' } as const;
  if (file.size > ORIGINAL_BYTES_MAX) return refused;
  let cost: ImageCost | undefined;
  try {
    cost = await readImageCost(file);
    // A file that was deleted or is not on this device is noticed now, not while it is sent.
    await file.slice(-1).arrayBuffer();
  } catch {
    return { state: 'refused', reason: 'unreadable' };
  }
  // The server tells more about an image that cannot be read.
  if (cost === undefined) return isTooLarge ? refused : { state: 'sendable', size: undefined };
  const isCheap = isCheapImage(cost) && isAnimationWithin(ANIMATION_LIMITS.accepted, cost);
  if (isCheap && !isTooLarge) return { state: 'sendable', size: sizeOf(cost) };
  return canShrink(cost)
    ? { state: 'shrinkable', megapixels: (cost.width * cost.height) / 1_000_000 }
    : refused;
}

/** Whether smaller copies can be made of refused images, which the composer and the text of the refusal both ask. */
const shrinkable = new WeakMap<Blob, Promise<boolean>>();

/** Resolves to whether a smaller copy can be made of an image that was refused. */
export function isShrinkable(file: Blob): Promise<boolean> {
  const known = shrinkable.get(file) ?? readShrinkable(file);
  shrinkable.set(file, known);
  return known;
}

async function readShrinkable(file: Blob): Promise<boolean> {
  try {
    const cost = await readImageCost(file);
    return cost !== undefined && canShrink(cost);
  } catch {
    return false;
  }
}

function canShrink({ width, height, frames }: ImageCost): boolean {
  const pixels = width * height;
  // A copy of an animation would be a still image.
  return frames === 1 && pixels > 0 && pixels <= ORIGINAL_PIXELS_MAX;
}
