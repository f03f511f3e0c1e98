import type { MediaInfo } from '@parley/contract';

/** Width and height in CSS pixels. */
export interface ImageBox {
  width: number;
  height: number;
}

const MAX: ImageBox = { width: 340, height: 380 };
/** The minimum size, large enough to tap. */
const MIN: ImageBox = { width: 120, height: 64 };
/** Minimum width in pixels for showing the time in the image's corner. A date and the buttons fit into it. */
export const CORNER_MIN_WIDTH = 240;

/** The size of images whose dimensions the server does not know. */
const UNKNOWN: ImageBox = { width: 260, height: 200 };

/**
 * Returns the displayed size of an image before it is loaded. Keeps the aspect ratio within bounds and does not
 * enlarge the image.
 */
export function imageBox(media: MediaInfo | undefined): ImageBox {
  const { width = 0, height = 0 } = media ?? {};
  if (width <= 0 || height <= 0) return UNKNOWN;
  const scale = Math.min(1, MAX.width / width, MAX.height / height);
  return {
    width: Math.max(MIN.width, Math.round(width * scale)),
    height: Math.max(MIN.height, Math.round(height * scale)),
  };
}

/** Width of the images of an album in pixels. Narrower on screens where it does not fit. */
export const ALBUM_WIDTH = MAX.width;

/** Minimum width of an image with a caption, so that lines are not too short, in pixels. */
const CAPTIONED_MIN = 240;

/** Returns the width of a bubble that contains an image and its caption, in pixels. */
export function captionedWidth(media: MediaInfo | undefined): number {
  return Math.max(CAPTIONED_MIN, imageBox(media?.isBlocked ? undefined : media).width);
}
