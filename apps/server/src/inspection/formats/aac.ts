import type { ByteSource } from './byte-source.ts';
import { readAudioFrames, type FrameHeader } from './audio-frames.ts';
import { TAGGED } from './detect-formats.ts';
import { afterLeadingTags } from './id3.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { boundedDuration } from './duration.ts';

/** Sample rates in hertz, by their index in an AAC header. */
export const AAC_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
] as const;

/** Samples per channel in an AAC block. */
export const AAC_BLOCK = 1_024;

const HEADER_LENGTH = 7;

/** AAC in ADTS frames (ISO/IEC 13818-7). */
export const aac: MediaFormat = {
  kind: 'audio',
  mime: 'audio/aac',
  extension: 'aac',
  detectedAs: ['audio/aac', TAGGED],
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const start = await afterLeadingTags(source);
  const { pieces, first, samples } = await readAudioFrames(source, start, readFrame);
  const { sampleRate, channels } = first;
  const durationMs = boundedDuration({
    durationMs: (samples / sampleRate) * 1_000,
    sampleRate,
    channels,
  });
  return { pieces, durationMs };
}

function readFrame(bytes: Buffer, at: number): FrameHeader | undefined {
  if (at + HEADER_LENGTH > bytes.length) return undefined;
  // Twelve sync bits, the MPEG version, and a layer that is always 0.
  if ((bytes.readUInt16BE(at) & 0xfff6) !== 0xfff0) return undefined;
  const fixed = bytes.readUInt32BE(at);
  const sampleRate = AAC_RATES[(fixed >>> 10) & 0x0f];
  const length = (bytes.readUIntBE(at + 3, 3) >>> 5) & 0x1fff;
  // With 0, channels are defined inside the audio data, in an element that may contain a comment.
  const channels = (fixed >>> 6) & 0x07;
  if (sampleRate === undefined || length <= HEADER_LENGTH || channels === 0) return undefined;
  const samples = ((bytes.readUInt8(at + 6) & 0x03) + 1) * AAC_BLOCK;
  // `streamBits` includes the two bits that spread a copyright number over the frames, so they must be
  // the same in all frames.
  return { length, samples, sampleRate, channels, streamBits: fixed >>> 2 };
}
