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

/** Why a file cannot be sent as an image as it is. */
export type ImageRefusal = 'type' | 'size' | 'empty' | 'unreadable';

/** Number of bytes at the beginning of a file that tell its type. */
const HEAD_LENGTH = 4096;

/** The signatures of image files: bytes at their beginning, and for WebP also after the length of the file. */
const SIGNATURES: readonly { type: string; starts: string; at8?: string }[] = [
  { type: 'image/jpeg', starts: '\xff\xd8\xff' },
  { type: 'image/png', starts: '\x89PNG\r\n\x1a\n' },
  { type: 'image/gif', starts: 'GIF87a' },
  { type: 'image/gif', starts: 'GIF89a' },
  { type: 'image/webp', starts: 'RIFF', at8: 'WEBP' },
  { type: 'image/bmp', starts: 'BM' },
];

/** A file, of which only the beginning is read. */
interface ReadableFile {
  /** The type by its name, which is empty for a file without an extension. */
  readonly type: string;
  readonly size: number;
  slice: (start: number, end: number) => { arrayBuffer: () => Promise<ArrayBuffer> };
}

/** The type of an image, and why it cannot be sent as it is. Only an image that is too large has both. */
type CheckedImage =
  | { readonly refusal: Exclude<ImageRefusal, 'size'>; readonly type?: undefined }
  | { readonly refusal?: 'size'; readonly type: string };

/** Resolves to the type of an image, which its bytes tell as they do for the server. Its name does not matter. */
export async function checkImageFile(file: ReadableFile): Promise<CheckedImage> {
  if (file.size === 0) return { refusal: 'empty' };
  let head: Uint8Array;
  try {
    head = new Uint8Array(await file.slice(0, HEAD_LENGTH).arrayBuffer());
  } catch {
    // A folder, a file that was deleted, or one of a cloud folder without a connection.
    return { refusal: 'unreadable' };
  }
  const type = detectImageType(head, file.type);
  if (type === undefined) return { refusal: 'type' };
  return file.size > LIMITS.imageBytesMax ? { refusal: 'size', type } : { type };
}

function detectImageType(head: Uint8Array, stated: string): string | undefined {
  // Only the characters of ASCII matter.
  const start = String.fromCharCode(...head);
  const found = SIGNATURES.find(
    ({ starts, at8 = '' }) => start.startsWith(starts) && start.startsWith(at8, 8),
  );
  if (found !== undefined) return found.type;
  return isSvg(start, stated === SVG_TYPE) ? SVG_TYPE : undefined;
}

const SVG_TYPE = 'image/svg+xml';

/** What may precede the first element of an XML document, and how it ends. */
const PREAMBLE: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/^<\?/, /\?>/],
  [/^<!--/, /-->/],
  [/^<!doctype[^>[]*\[/i, /\]\s*>/],
  [/^<!doctype/i, />/],
];

/** Returns whether a text begins like an SVG. If its preamble goes on after the text, `isStated` decides. */
function isSvg(text: string, isStated: boolean): boolean {
  for (let rest = text.replace(/^\xef\xbb\xbf/, '').trimStart(); ;) {
    const [, end] = PREAMBLE.find(([start]) => start.test(rest)) ?? [];
    if (end === undefined) return /^<(?:[\w-]+:)?svg[\s/>]/.test(rest);
    const found = end.exec(rest);
    if (found === null) return isStated;
    rest = rest.slice(found.index + found[0].length).trimStart();
  }
}
