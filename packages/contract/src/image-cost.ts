// What it costs to show an image. The server rejects expensive ones, because the recipient's client shows images by
// itself, also on a phone with little memory. The size of a file says nothing about that.

/** Maximum number of pixels: a page of 8.5 × 14 inches that is scanned with 600 dpi. Decoded, they take 172 MB. */
const PIXELS_MAX = 43_000_000;

/** Maximum number of pixels of an image that browsers can decode at a fraction of its size: that of phone cameras. */
const SCALABLE_PIXELS_MAX = 50_000_000;

/** Maximum side length in pixels. Graphics libraries use 16-bit coordinates. */
const SIDE_MAX = 32_767;

/** Maximum memory in bytes that a browser may need to decode an image. */
const DECODED_BYTES_MAX = 400_000_000;

/** The properties of an image that determine how much memory its decoding takes. */
export interface DecodedImage {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** During decoding, including the decoder's own buffers; 4 by default. */
  readonly bytesPerPixel?: number;
  /** Whether browsers can decode it at a fraction of its size, as they do with JPEG. */
  readonly isScalable?: boolean;
}

/** Returns whether an image takes so little memory that any client can show it. */
export function isCheapImage(image: DecodedImage): boolean {
  const { width, height, bytesPerPixel = 4, isScalable = false } = image;
  const pixels = width * height;
  return (
    pixels <= (isScalable ? SCALABLE_PIXELS_MAX : PIXELS_MAX) &&
    Math.max(width, height) <= SIDE_MAX &&
    pixels * bytesPerPixel <= DECODED_BYTES_MAX
  );
}

/** The properties of an animation that determine what it costs to play it. */
export interface AnimationCost {
  /** Size of its canvas in pixels. Even a small frame costs the whole canvas. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Sum of the delays in milliseconds, as browsers show them, see {@link frameDelay}. */
  readonly duration: number;
}

/** Upper limits of an animation. */
interface AnimationLimits {
  readonly canvasPixels: number;
  readonly frames: number;
  /** Pixels of all frames together, each as large as the canvas. */
  readonly pixels: number;
  readonly pixelsPerSecond: number;
}

/** Limits of animations that clients play by themselves, and of those that the server accepts. */
export const ANIMATION_LIMITS = {
  /** The rate is that of 1920 × 1080 pixels with 60 frames per second. */
  automatic: {
    canvasPixels: 4_200_000,
    frames: 4_000,
    pixels: 1_000_000_000,
    pixelsPerSecond: 125_000_000,
  },
  /** Played on demand: a recording of a screen with 3840 × 2400 pixels, or of several minutes. */
  accepted: {
    canvasPixels: 9_300_000,
    frames: 4_000,
    pixels: 8_400_000_000,
    pixelsPerSecond: 280_000_000,
  },
} as const satisfies Record<string, AnimationLimits>;

/** Returns whether an animation is within limits. A single frame is not an animation. */
export function isAnimationWithin(limits: AnimationLimits, animation: AnimationCost): boolean {
  const { width, height, frames, duration } = animation;
  if (frames < 2) return true;
  const canvasPixels = width * height;
  const pixels = canvasPixels * frames;
  return (
    canvasPixels <= limits.canvasPixels &&
    frames <= limits.frames &&
    pixels <= limits.pixels &&
    pixels * 1_000 <= limits.pixelsPerSecond * duration
  );
}

/** Delay in milliseconds. Browsers show frames with a shorter delay for 100 ms. */
const SHORTEST_DELAY = 11;
const DEFAULT_DELAY = 100;

/** Returns how long browsers show a frame, in milliseconds. */
export function frameDelay(delay: number): number {
  return delay < SHORTEST_DELAY ? DEFAULT_DELAY : delay;
}
