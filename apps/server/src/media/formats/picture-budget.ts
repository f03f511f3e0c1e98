import { TooComplexMedia } from './byte-source.ts';

/** What the cameras of current phones take; decoded, this is 200 MB. */
const PIXELS_MAX = 50_000_000;

/** Graphics libraries count coordinates of pictures in 16 bits. */
const SIDE_MAX = 32_767;

/** Memory that a browser may need to decode one picture. */
const DECODED_BYTES_MAX = 400_000_000;

/** A larger picture has to bring data that are worth its size: a few bytes must not cost 200 MB. */
const SPARSE_PIXELS_MAX = 16_000_000;
const PIXELS_PER_BYTE_MAX = 64;

/** Every frame costs the whole canvas, however small its own part is. */
const ANIMATED_PIXELS_MAX = 4_200_000;
const FRAMES_MAX = 4_000;
const FRAME_PIXELS_MAX = 1_000_000_000;
/** 1920 × 1080 at 60 frames a second. */
const PIXELS_PER_SECOND_MAX = 125_000_000;

/** Browsers show a frame with a shorter delay than this for 100 ms. */
const SHORTEST_DELAY = 11;
const DEFAULT_DELAY = 100;

/** What decides how much memory a picture takes while it is decoded. */
export interface DecodedPicture {
  readonly width: number;
  readonly height: number;
  /** While decoding, buffers of the decoder included; 4 by default. */
  readonly bytesPerPixel?: number;
}

/**
 * Checks that a picture is cheap to show. `fileSize` is in bytes.
 * @throws {TooComplexMedia} if it is not.
 */
export function assertCheapPicture(picture: DecodedPicture, fileSize: number): void {
  const { width, height, bytesPerPixel = 4 } = picture;
  const pixels = width * height;
  if (pixels > PIXELS_MAX || Math.max(width, height) > SIDE_MAX) {
    throw new TooComplexMedia('too many pixels');
  }
  if (pixels * bytesPerPixel > DECODED_BYTES_MAX) throw new TooComplexMedia('too much memory');
  if (pixels > SPARSE_PIXELS_MAX && pixels > fileSize * PIXELS_PER_BYTE_MAX) {
    throw new TooComplexMedia('a huge picture with almost no data');
  }
}

/** Adds up what the frames of an animation cost. */
export class AnimationBudget {
  #frames = 0;
  /** In milliseconds, as browsers show it. */
  #duration = 0;

  /** Frames so far. */
  get frames(): number {
    return this.#frames;
  }

  /** Adds a frame; `delay` is in milliseconds. */
  addFrame(delay: number): void {
    this.#frames += 1;
    this.#duration += delay < SHORTEST_DELAY ? DEFAULT_DELAY : delay;
    if (this.#frames > FRAMES_MAX) throw new TooComplexMedia('too many frames');
  }

  /**
   * Checks the frames on a canvas of this size. A single frame is no animation.
   * @throws {TooComplexMedia} if they cost too much.
   */
  assertCheap(width: number, height: number): void {
    if (this.#frames < 2) return;
    const canvas = width * height;
    const drawn = canvas * this.#frames;
    if (canvas > ANIMATED_PIXELS_MAX) throw new TooComplexMedia('too large an animation');
    if (drawn > FRAME_PIXELS_MAX) throw new TooComplexMedia('too long an animation');
    if ((drawn * 1000) / this.#duration > PIXELS_PER_SECOND_MAX) {
      throw new TooComplexMedia('too fast an animation');
    }
  }
}
