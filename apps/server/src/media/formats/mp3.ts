import type { ByteSource } from './byte-source.ts';
import { soundFrames, type FrameHeader, type SoundFrames } from './frames.ts';
import { TAGGED } from './detect-formats.ts';
import { afterLeadingTags } from './id3.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { Pieces } from './pieces.ts';
import { boundedDuration } from './sound.ts';

/** Kilobits a second by the header's index, of layer III: MPEG 1, and MPEG 2 and 2.5. */
const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
/** Samples a second by the header's index, of MPEG 1; halved for 2, halved again for 2.5. */
const RATES = [44_100, 48_000, 32_000];

const MPEG_1 = 3;
const MPEG_2 = 2;
const RESERVED = 1;
const LAYER_3 = 1;
const MONO = 3;

/** MP3: MPEG audio of layer III. Its tags, pictures included, are left out. */
export const mp3: MediaFormat = {
  kind: 'audio',
  mime: 'audio/mpeg',
  ending: 'mp3',
  detectedAs: ['audio/mpeg', TAGGED],
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const start = await afterLeadingTags(source);
  const frames = await soundFrames(source, start, readFrame, isIndex);
  const { sampleRate, channels } = frames.first;
  const durationMs = boundedDuration({
    durationMs: (frames.samples / sampleRate) * 1_000,
    sampleRate,
    channels,
  });
  const pieces = new Pieces();
  pieces.insert(indexFrame(frames));
  pieces.append(frames.pieces);
  return { pieces, durationMs };
}

function readFrame(bytes: Buffer, at: number): FrameHeader | undefined {
  if (at + 4 > bytes.length) return undefined;
  const header = bytes.readUInt32BE(at);
  const sizes = frameSizes(header);
  if (sizes === undefined) return undefined;
  const { length, sampleRate, samples } = sizes;
  const mode = (header >>> 6) & 3;
  return {
    length,
    samples,
    sampleRate,
    channels: mode === MONO ? 1 : 2,
    // Version, layer and rate, and whether there are two channels.
    stream: (header & 0x001e_0c00) | (mode === MONO ? 1 : 0),
  };
}

function frameSizes(header: number) {
  const version = (header >>> 19) & 3;
  const isFrame = header >>> 21 === 0x7ff && ((header >>> 17) & 3) === LAYER_3;
  if (!isFrame || version === RESERVED) return undefined;
  const baseRate = RATES[(header >>> 10) & 3];
  const kilobits = (version === MPEG_1 ? BITRATES_1 : BITRATES_2)[(header >>> 12) & 0x0f];
  if (baseRate === undefined || !kilobits) return undefined;
  const sampleRate = baseRate / (version === MPEG_1 ? 1 : version === MPEG_2 ? 2 : 4);
  const samples = version === MPEG_1 ? 1_152 : 576;
  const isMono = ((header >>> 6) & 3) === MONO;
  return {
    sampleRate,
    samples,
    length: Math.floor((samples * kilobits * 1_000) / 8 / sampleRate) + ((header >>> 9) & 1),
    /** Bytes between the header and the sound. */
    sideInfo: version === MPEG_1 ? (isMono ? 17 : 32) : isMono ? 9 : 17,
  };
}

/** Encoders name themselves in the frame with the table of contents, so it is written anew. */
function isIndex(frame: Buffer, isFirst: boolean): boolean {
  const soundAt = 4 + (frameSizes(frame.readUInt32BE(0))?.sideInfo ?? 0);
  const nameAt = (offset: number) => frame.toString('latin1', offset, offset + 4);
  const isNamed = [soundAt, soundAt + 2].some((offset) => /^(?:Xing|Info)$/.test(nameAt(offset)));
  if (isNamed || nameAt(36) === 'VBRI') return true;
  // One whose name is damaged is known by its place, and by what no decoder would look at.
  const isZero = (byte: number) => byte === 0;
  return (
    isFirst && frame.subarray(4, soundAt).every(isZero) && !frame.subarray(soundAt).every(isZero)
  );
}

const INDEX_LENGTH = 4 + 4 + 4 + 4 + 100;
const HAS_COUNT_SIZE_AND_CONTENTS = 7;

/** A silent frame that tells how many frames follow and where they are, for players to seek. */
function indexFrame({ first, lengths, pieces }: SoundFrames): Buffer {
  const { header, length, sideInfo } = indexHeader(first);
  const frame = Buffer.alloc(length);
  frame.writeUInt32BE(header);
  const at = 4 + sideInfo;
  const [firstLength = 0] = lengths;
  // Padding makes a byte's difference.
  const isConstant = lengths.every((other) => Math.abs(other - firstLength) <= 1);
  frame.write(isConstant ? 'Info' : 'Xing', at, 'latin1');
  frame.writeUInt32BE(HAS_COUNT_SIZE_AND_CONTENTS, at + 4);
  frame.writeUInt32BE(lengths.length, at + 8);
  const total = length + pieces.length;
  frame.writeUInt32BE(total, at + 12);
  let position = length;
  let index = 0;
  for (let percent = 0; percent < 100; percent += 1) {
    for (; index < (lengths.length * percent) / 100; index += 1) position += lengths[index] ?? 0;
    frame.writeUInt8(Math.min(255, Math.floor((position / total) * 256)), at + 16 + percent);
  }
  return frame;
}

/** The smallest frame of the same kind that a table of contents fits into. */
function indexHeader({ stream }: FrameHeader) {
  const mode = (stream & 1) === 1 ? MONO : 0;
  for (let bitrate = 1; bitrate < 15; bitrate += 1) {
    // Eleven bits of sync, and one that says that there is no checksum.
    const header = (0xffe1_0000 | (stream & ~1) | (bitrate << 12) | (mode << 6)) >>> 0;
    const sizes = frameSizes(header);
    if (sizes && sizes.length >= 4 + sizes.sideInfo + INDEX_LENGTH) return { header, ...sizes };
  }
  throw new Error('every kind of frame is large enough at its highest bit rate');
}
