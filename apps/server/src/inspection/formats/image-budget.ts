import { TooComplexMediaError } from './byte-source.ts';

/** Maximum number of pixels: as many as current phone cameras have. Decoded, they take 200 MB. */
const PIXELS_MAX = 50_000_000;

/** Maximum side length in pixels. Graphics libraries use 16-bit coordinates. */
const SIDE_MAX = 32_767;

/** Maximum memory that a browser may need to decode an image. */
const DECODED_BYTES_MAX = 400_000_000;

/** Images with more pixels need a proportional file size, so that a few bytes cannot cost 200 MB. */
const SPARSE_PIXELS_MAX = 16_000_000;
const PIXELS_PER_BYTE_MAX = 64;

/** Maximum pixels of an animation's canvas. Even a small frame costs the whole canvas. */
const ANIMATED_PIXELS_MAX = 4_200_000;
const FRAMES_MAX = 4_000;
const FRAME_PIXELS_MAX = 1_000_000_000;
/** Maximum rate of pixels: 1920 × 1080 at 60 frames per second. */
const PIXELS_PER_SECOND_MAX = 125_000_000;

/** Delay in milliseconds. Browsers show frames with a shorter delay for 100 ms. */
const SHORTEST_DELAY = 11;
const DEFAULT_DELAY = 100;

/** The properties of an image that determine how much memory its decoding takes. */
export interface DecodedImage {
  readonly width: number;
  readonly height: number;
  /** During decoding, including the decoder's own buffers; 4 by default. */
  readonly bytesPerPixel?: number;
}

/**
 * Checks that an image is cheap to display. `fileSize` is in bytes, without what is removed from the file.
 * @throws {TooComplexMediaError} if it is not.
 */
export function assertCheapImage(image: DecodedImage, fileSize: number): void {
  const { width, height, bytesPerPixel = 4 } = image;
  const pixels = width * height;
  if (pixels > PIXELS_MAX || Math.max(width, height) > SIDE_MAX) {
    throw new TooComplexMediaError('too many pixels');
  }
  if (pixels * bytesPerPixel > DECODED_BYTES_MAX) throw new TooComplexMediaError('too much memory');
  if (pixels > SPARSE_PIXELS_MAX && pixels > fileSize * PIXELS_PER_BYTE_MAX) {
    throw new TooComplexMediaError('a huge image with almost no data');
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
    this.#duration += delay < SHORTEST_DELAY ? DEFAULT_DELAY : delay;
    if (this.#frames > FRAMES_MAX) throw new TooComplexMediaError('too many frames');
  }

  /**
   * Checks the cost of the frames on a canvas of this size in pixels. A single frame is not an
   * animation.
   * @throws {TooComplexMediaError} if they cost too much.
   */
  assertCheap(width: number, height: number): void {
    if (this.#frames < 2) return;
    const canvas = width * height;
    const drawn = canvas * this.#frames;
    if (canvas > ANIMATED_PIXELS_MAX)
      throw new TooComplexMediaError('an animation that is too large');
    if (drawn > FRAME_PIXELS_MAX) throw new TooComplexMediaError('an animation that is too long');
    if ((drawn * 1000) / this.#duration > PIXELS_PER_SECOND_MAX) {
      throw new TooComplexMediaError('an animation that is too fast');
    }
  }
}
