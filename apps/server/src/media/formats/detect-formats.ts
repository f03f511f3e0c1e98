import { fileTypeFromBuffer } from 'file-type';
import { hasLeadingTag } from './id3.ts';
import type { MediaFormat } from './media-format.ts';

/** Stands for files that have no signature, such as most SVGs. */
export const UNRECOGNIZED = 'application/octet-stream';

/** Stands for files with an ID3 tag in front: MP3 and AAC have the same, and padding of any length behind. */
export const TAGGED = 'audio/x-id3';

/** Bytes that a file is recognized by. */
export const HEAD_LENGTH = 4096;

/**
 * Returns those formats that a file may have, in their order. Whether it really has one shows only in
 * reading it.
 * @param head the first {@link HEAD_LENGTH} bytes of the file, or all of it
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
