import { LIMITS } from './limits.ts';

/** The types of images that users can send. */
export const IMAGE_TYPES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/svg+xml',
  'image/gif',
  'image/bmp',
  // The type of a BMP on older Android devices.
  'image/x-ms-bmp',
  'image/webp',
];

/** Why a file cannot be sent as an image. */
export type ImageRefusal = 'type' | 'size' | 'empty';

/** Returns why a file cannot be sent as an image, or undefined if it can. The server checks the content. */
export function checkImageFile(file: { type: string; size: number }): ImageRefusal | undefined {
  if (!IMAGE_TYPES.includes(file.type)) return 'type';
  if (file.size > LIMITS.imageBytesMax) return 'size';
  return file.size === 0 ? 'empty' : undefined;
}
