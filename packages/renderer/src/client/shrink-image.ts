import { LIMITS } from '@parley/contract';

/** Maximum size of a copy in pixels. Safari on phones has no larger canvas. */
const COPY_PIXELS_MAX = 16_000_000;
/** Maximum side of a copy in pixels. */
const COPY_SIDE_MAX = 32_000;

const QUALITY = 0.9;

/** How often a copy that still has too many bytes is made smaller, and by how much. */
const ATTEMPTS_MAX = 4;
const NEXT_SCALE = 0.7;

/**
 * Returns the size of a copy with the same proportions.
 * @param attempt how many larger copies had too many bytes
 */
export function copySize(
  width: number,
  height: number,
  attempt = 0,
): { width: number; height: number } {
  const fitting = Math.min(
    1,
    Math.sqrt(COPY_PIXELS_MAX / (width * height)),
    COPY_SIDE_MAX / Math.max(width, height),
  );
  const scale = fitting * NEXT_SCALE ** attempt;
  const scaled = (length: number): number => Math.max(1, Math.floor(length * scale));
  return { width: scaled(width), height: scaled(height) };
}

/**
 * Makes a smaller copy of an image that can be sent. It is a JPEG if the image is one. Otherwise it has no losses or
 * at least keeps transparent pixels, unless it would have too many bytes.
 * @param bytesMax how many bytes the copy may have
 * @throws if the browser cannot decode the image.
 */
export async function shrinkImage(
  file: File,
  bytesMax: number = LIMITS.imageBytesMax,
): Promise<File> {
  const types = file.type === 'image/jpeg' ? [] : ['image/png', 'image/webp'];
  // Rotated as it is shown.
  const original = await createImageBitmap(file);
  try {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const size = copySize(original.width, original.height, attempt);
      for (const type of [...types, 'image/jpeg']) {
        const copy = await draw(original, size, type);
        // A browser that cannot write a type writes a PNG instead.
        if (copy.type !== type || copy.size > bytesMax) continue;
        return new File([copy], withExtension(file.name, type), { type });
      }
    }
  } finally {
    original.close();
  }
  throw new Error('the copy is too large');
}

/** The least number of bytes that a copy may have, so that it is not blurred without need. */
const REFUSED_BYTES_MIN = 500_000;

/**
 * Makes a smaller copy of an image that the server or a proxy has refused. As their limits are not known, it has at most
 * half as many bytes.
 * @throws if the browser cannot decode the image.
 */
export function shrinkRefusedImage(file: File): Promise<File> {
  const half = Math.max(file.size / 2, REFUSED_BYTES_MIN);
  return shrinkImage(file, Math.min(half, LIMITS.imageBytesMax));
}

async function draw(
  original: ImageBitmap,
  { width, height }: { width: number; height: number },
  type: string,
): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  if (type === 'image/jpeg') {
    context.fillStyle = 'white';
    context.fillRect(0, 0, width, height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(original, 0, 0, width, height);
  return canvas.convertToBlob({ type, quality: QUALITY });
}

function withExtension(name: string, type: string): string {
  const extension = type === 'image/jpeg' ? 'jpg' : type.slice('image/'.length);
  return `${name.replace(/\.[^.]*$/, '')}.${extension}`;
}
