import { aac } from './formats/aac.ts';
import { bmp } from './formats/bmp.ts';
import { MalformedFile, type ByteSource } from './formats/byte-source.ts';
import { detectFormats, HEAD_LENGTH } from './formats/detect-formats.ts';
import { gif } from './formats/gif.ts';
import { jpeg } from './formats/jpeg.ts';
import type { Contents, MediaFormat, MediaType } from './formats/media-format.ts';
import { mp3 } from './formats/mp3.ts';
import { mp4 } from './formats/mp4.ts';
import { png } from './formats/png.ts';
import { svg } from './formats/svg/svg.ts';
import { wav } from './formats/wav.ts';
import { webm } from './formats/webm.ts';
import { webp } from './formats/webp.ts';

/** Every format that is accepted. */
const FORMATS: readonly MediaFormat[] = [jpeg, png, gif, webp, wav, webm, mp4, aac, mp3, svg];

/** Formats that were accepted by earlier versions: what is there of them stays. */
const FORMER_FORMATS: readonly MediaFormat[] = [...FORMATS, bmp];

/** To be raised with each change that takes out or refuses more: stored pictures are inspected again. */
export const PICTURE_RULES = 2;

/** What a file is and which parts of it others may see. */
export interface Inspected extends Contents {
  readonly type: MediaType;
}

/**
 * Tells from its bytes what a file is; undefined if it is nothing that is accepted.
 * @throws {TooComplexMedia} if it is a picture that would cost too much to show.
 */
export function inspectMedia(source: ByteSource): Promise<Inspected | undefined> {
  return inspectAs(FORMATS, source);
}

/** The same for a file that is stored already. */
export function inspectStored(source: ByteSource): Promise<Inspected | undefined> {
  return inspectAs(FORMER_FORMATS, source);
}

async function inspectAs(
  formats: readonly MediaFormat[],
  source: ByteSource,
): Promise<Inspected | undefined> {
  const head = Buffer.from(await source.upTo(0, HEAD_LENGTH));
  for (const format of await detectFormats(formats, head)) {
    try {
      const contents = await format.read(source);
      if (isDrawable(contents)) return { type: format, ...contents };
    } catch (error) {
      // It may still be another one: MP3 and AAC begin with the same tag.
      if (!(error instanceof MalformedFile)) throw error;
    }
  }
  return undefined;
}

function isDrawable({ width, height }: Contents): boolean {
  if (width === undefined || height === undefined) return true;
  return width > 0 && height > 0;
}
