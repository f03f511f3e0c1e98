import type { MediaFormat } from './media-format.ts';
import { soundFrames } from './frames.ts';
import { hasLeadingTag } from './id3.ts';

/** AAC in ADTS frames (ISO/IEC 13818-7). */
export const aac: MediaFormat = {
  kind: 'audio',
  mime: 'audio/aac',
  ending: 'aac',
  matches: (head) => hasLeadingTag(head) || frameLength(head) > 0,
  read: async (source) => ({ pieces: await soundFrames(source, frameLength) }),
};

function frameLength(header: Buffer): number {
  if (header.length < 7) return 0;
  // Twelve bits set, the MPEG version, a layer that is always 0.
  if ((header.readUInt16BE(0) & 0xfff6) !== 0xfff0) return 0;
  const rateIndex = (header.readUInt8(2) >>> 2) & 0x0f;
  const length = (header.readUIntBE(3, 3) >>> 5) & 0x1fff;
  return rateIndex < 13 && length > 7 ? length : 0;
}
