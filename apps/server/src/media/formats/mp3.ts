import type { MediaFormat } from './media-format.ts';
import { soundFrames } from './frames.ts';
import { hasLeadingTag } from './id3.ts';

/** Kilobits a second by the header's index, of layer III: MPEG 1, and MPEG 2 and 2.5. */
const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
/** Samples a second by the header's index, of MPEG 1; halved for 2, halved again for 2.5. */
const RATES = [44_100, 48_000, 32_000];

const MPEG_1 = 3;
const MPEG_2 = 2;
const RESERVED = 1;
const LAYER_3 = 1;

/** MP3: MPEG audio of layer III. Its tags, pictures included, are left out. */
export const mp3: MediaFormat = {
  kind: 'audio',
  mime: 'audio/mpeg',
  ending: 'mp3',
  matches: (head) => hasLeadingTag(head) || frameLength(head) > 0,
  read: async (source) => ({ pieces: await soundFrames(source, frameLength) }),
};

function frameLength(header: Buffer): number {
  if (header.length < 4 || header.readUInt16BE(0) >>> 5 !== 0x7ff) return 0;
  const second = header.readUInt8(1);
  const third = header.readUInt8(2);
  const version = (second >>> 3) & 3;
  if (version === RESERVED || ((second >>> 1) & 3) !== LAYER_3) return 0;
  const rate = RATES[(third >>> 2) & 3];
  const kilobits = (version === MPEG_1 ? BITRATES_1 : BITRATES_2)[third >>> 4];
  if (rate === undefined || !kilobits) return 0;
  const halvings = version === MPEG_1 ? 1 : version === MPEG_2 ? 2 : 4;
  const samplesBy8 = version === MPEG_1 ? 144 : 72;
  return Math.floor((samplesBy8 * kilobits * 1000) / (rate / halvings)) + ((third >>> 1) & 1);
}
