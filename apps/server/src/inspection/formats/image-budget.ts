import {
  ANIMATION_LIMITS,
  frameDelay,
  isAnimationWithin,
  isCheapImage,
  type DecodedImage,
} from '@parley/contract';
import { TooComplexMediaError } from './byte-source.ts';

/** A smaller image takes so little memory that it need not have all of the pixels that it states. */
const INCOMPLETE_PIXELS_MAX = 16_000_000;

/**
 * Checks that an image is cheap to display.
 * @throws {TooComplexMediaError} if it is not.
 */
export function assertCheapImage(image: DecodedImage): void {
  if (!isCheapImage(image)) throw new TooComplexMediaError('too many pixels');
}

/**
 * Checks that a large image has the pixels that it states, so that a few bytes cannot take the memory of an image
 * that does not exist.
 * @throws {TooComplexMediaError} if it does not.
 */
export function assertComplete(
  { width, height }: Pick<DecodedImage, 'width' | 'height'>,
  isComplete: boolean,
): void {
  if (!isComplete && width * height > INCOMPLETE_PIXELS_MAX) {
    throw new TooComplexMediaError('a large image without its pixels');
  }
}

/** Adds up the cost of an animation's frames. */
export class AnimationBudget {
  #frames = 0;
  /** In milliseconds, as displayed by browsers. */
  #duration = 0;

  get frames(): number {
    return this.#frames;
  }

  /** Adds a frame with a `delay` in milliseconds. */
  addFrame(delay: number): void {
    this.#frames += 1;
    this.#duration += frameDelay(delay);
    if (this.#frames > ANIMATION_LIMITS.accepted.frames)
      throw new TooComplexMediaError('too many frames');
  }

  /**
   * Checks the cost of the frames on a canvas of this size in pixels. A single frame is not an
   * animation.
   * @throws {TooComplexMediaError} if they cost too much.
   */
  assertCheap(width: number, height: number): void {
    const animation = { width, height, frames: this.#frames, duration: this.#duration };
    if (!isAnimationWithin(ANIMATION_LIMITS.accepted, animation)) {
      throw new TooComplexMediaError('an animation that is too large, too long or too fast');
    }
  }
}
