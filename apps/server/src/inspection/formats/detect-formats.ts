import { fileTypeFromBuffer } from 'file-type';
import { hasLeadingTag } from './id3.ts';
import type { MediaFormat } from './media-format.ts';

/** The type of files without a signature, such as most SVGs. */
export const UNRECOGNIZED = 'application/octet-stream';

/** The type of files with a leading ID3 tag. MP3 or AAC may follow after padding of any length. */
export const TAGGED = 'audio/x-id3';

/** Number of bytes that detection needs. */
export const HEAD_LENGTH = 4096;

/**
 * Returns the formats that a file may have, in the given order. Only reading the file shows whether
 * it really has one of them.
 * @param head the first {@link HEAD_LENGTH} bytes of the file, or the whole file if it is shorter
 */
export async function detectFormats(
  formats: readonly MediaFormat[],
  head: Buffer,
): Promise<readonly MediaFormat[]> {
  const type = await detectType(head);
  return formats.filter(({ detectedAs }) => detectedAs.includes(type));
}

async function detectType(head: Buffer): Promise<string> {
  if (hasLeadingTag(head)) return TAGGED;
  return (await fileTypeFromBuffer(head))?.mime ?? UNRECOGNIZED;
}
