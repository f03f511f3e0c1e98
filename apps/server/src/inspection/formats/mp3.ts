import type { ByteSource } from './byte-source.ts';
import { readAudioFrames, type FrameHeader, type AudioFrames } from './audio-frames.ts';
import { TAGGED } from './detect-formats.ts';
import { afterLeadingTags } from './id3.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { Pieces } from './pieces.ts';
import { boundedDuration } from './duration.ts';

/**
 * Bit rates of layer III in kilobits per second, by their index in the header: MPEG 1, then MPEG 2
 * and 2.5.
 */
const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
/**
 * Sample rates of MPEG 1 in hertz, by their index in the header. Those of MPEG 2 are half, those of
 * MPEG 2.5 a quarter of these.
 */
const RATES = [44_100, 48_000, 32_000];

const MPEG_1 = 3;
const MPEG_2 = 2;
const RESERVED = 1;
const LAYER_3 = 1;
const MONO = 3;

/** MP3: MPEG audio layer III. Leaves out tags, including cover images. */
export const mp3: MediaFormat = {
  kind: 'audio',
  mime: 'audio/mpeg',
  extension: 'mp3',
  detectedAs: ['audio/mpeg', TAGGED],
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const start = await afterLeadingTags(source);
  const frames = await readAudioFrames(source, start, readFrame, isIndex);
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
    // Version, layer, sample rate, and whether there are two channels.
    streamBits: (header & 0x001e_0c00) | (mode === MONO ? 1 : 0),
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
    /** Bytes between the header and the audio data. */
    sideInfo: version === MPEG_1 ? (isMono ? 17 : 32) : isMono ? 9 : 17,
  };
}

/** Returns whether a frame is the encoder's index, which is rewritten because it names the encoder. */
function isIndex(frame: Buffer, isFirst: boolean): boolean {
  const audioOffset = 4 + (frameSizes(frame.readUInt32BE(0))?.sideInfo ?? 0);
  const nameAt = (offset: number) => frame.toString('latin1', offset, offset + 4);
  const isNamed = [audioOffset, audioOffset + 2].some((offset) =>
    /^(?:Xing|Info)$/.test(nameAt(offset)),
  );
  if (isNamed || nameAt(36) === 'VBRI') return true;
  // An index with a corrupt name is recognized by its position and its empty side information.
  const isZero = (byte: number) => byte === 0;
  return (
    isFirst &&
    frame.subarray(4, audioOffset).every(isZero) &&
    !frame.subarray(audioOffset).every(isZero)
  );
}

const INDEX_LENGTH = 4 + 4 + 4 + 4 + 100;
const HAS_COUNT_SIZE_AND_CONTENTS = 7;

/** Creates a silent frame with the frame count and a seek table. */
function indexFrame({ first, lengths, pieces }: AudioFrames): Buffer {
  const { header, length, sideInfo } = indexHeader(first);
  const frame = Buffer.alloc(length);
  frame.writeUInt32BE(header);
  const at = 4 + sideInfo;
  const [firstLength = 0] = lengths;
  // Padding changes the length by one byte.
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

/** Returns the smallest frame of the same kind that has room for a seek table. */
function indexHeader({ streamBits }: FrameHeader) {
  const mode = (streamBits & 1) === 1 ? MONO : 0;
  for (let bitrate = 1; bitrate < 15; bitrate += 1) {
    // Eleven sync bits and the bit for "no checksum".
    const header = (0xffe1_0000 | (streamBits & ~1) | (bitrate << 12) | (mode << 6)) >>> 0;
    const sizes = frameSizes(header);
    if (sizes && sizes.length >= 4 + sizes.sideInfo + INDEX_LENGTH) return { header, ...sizes };
  }
  throw new Error('no bit rate makes a frame large enough for a seek table');
}
