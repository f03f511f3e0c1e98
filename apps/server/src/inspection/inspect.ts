import { aac } from './formats/aac.ts';
import { bmp } from './formats/bmp/bmp.ts';
import { MalformedFileError, type ByteSource } from './formats/byte-source.ts';
import { detectFormats, HEAD_LENGTH } from './formats/detect-formats.ts';
import { gif } from './formats/gif.ts';
import { jpeg } from './formats/jpeg.ts';
import type { Contents, MediaFormat, MediaType } from './formats/media-format.ts';
import { mp3 } from './formats/mp3.ts';
import { mp4 } from './formats/mp4.ts';
import { png } from './formats/png.ts';
import { storedBmp } from './formats/stored-bmp.ts';
import { svg } from './formats/svg/svg.ts';
import { wav } from './formats/wav.ts';
import { webm } from './formats/webm.ts';
import { webp } from './formats/webp.ts';

/** All accepted formats. */
const FORMATS: readonly MediaFormat[] = [jpeg, png, gif, webp, bmp, wav, webm, mp4, aac, mp3, svg];

/** The formats of stored files. Earlier versions stored a BMP as it was. */
const STORED_FORMATS: readonly MediaFormat[] = [
  ...FORMATS.filter((format) => format !== bmp),
  storedBmp,
];

/**
 * Version of the image checks. Increase it when they become stricter, so that stored images are
 * inspected again.
 */
export const IMAGE_RULES = 4;

/**
 * Returns whether a stored file of the media type `mime` may have this type now. Earlier versions stored
 * SVG, which is now converted.
 */
export function isSuccessor(type: Pick<MediaType, 'mime'>, mime: string): boolean {
  return type.mime === (mime === 'image/svg+xml' ? 'image/png' : mime);
}

/** The type of a file as stored and the content that others may receive. */
export interface Inspected extends Contents {
  readonly type: MediaType;
}

/**
 * Detects the type of an upload and reads it. Returns undefined if its format is not accepted.
 * @throws {TooComplexMediaError} if it would be too expensive to display.
 */
export function inspectMedia(source: ByteSource): Promise<Inspected | undefined> {
  return inspectAs(FORMATS, source);
}

/** Inspects a stored file like {@link inspectMedia}, but keeps the formats of earlier versions. */
export function inspectStored(source: ByteSource): Promise<Inspected | undefined> {
  return inspectAs(STORED_FORMATS, source);
}

async function inspectAs(
  formats: readonly MediaFormat[],
  source: ByteSource,
): Promise<Inspected | undefined> {
  const head = Buffer.from(await source.bytesUpTo(0, HEAD_LENGTH));
  for (const format of await detectFormats(formats, head)) {
    try {
      const contents = await format.read(source);
      if (isDrawable(contents)) return { type: format, ...contents };
    } catch (error) {
      // Another format may still match: MP3 and AAC begin with the same tag.
      if (!(error instanceof MalformedFileError)) throw error;
    }
  }
  return undefined;
}

function isDrawable({ width, height }: Contents): boolean {
  if (width === undefined || height === undefined) return true;
  return width > 0 && height > 0;
}
