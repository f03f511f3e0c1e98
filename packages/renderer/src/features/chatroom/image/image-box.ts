import type { MediaInfo } from '@parley/contract';

/** Width and height in CSS pixels. */
export interface ImageBox {
  width: number;
  height: number;
}

const MAX: ImageBox = { width: 340, height: 380 };
/** Narrow enough for any screen, large enough to be hit. */
const MIN: ImageBox = { width: 120, height: 64 };
/** Narrowest picture, in pixels, that has the time in its corner: with its date it still fits there. */
export const CORNER_MIN_WIDTH = 200;

/** What is kept free for a picture whose measures the server does not know. */
const UNKNOWN: ImageBox = { width: 260, height: 200 };

/** How large a picture is shown in a room, known before it has arrived: its own shape within bounds, never enlarged beyond its pixels. */
export function imageBox(media: MediaInfo | undefined): ImageBox {
  const { width = 0, height = 0 } = media ?? {};
  if (width <= 0 || height <= 0) return UNKNOWN;
  const scale = Math.min(1, MAX.width / width, MAX.height / height);
  return {
    width: Math.max(MIN.width, Math.round(width * scale)),
    height: Math.max(MIN.height, Math.round(height * scale)),
  };
}
