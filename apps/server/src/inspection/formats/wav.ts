import { MalformedFileError, type ByteSource } from './byte-source.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { Pieces } from './pieces.ts';
import { riffChunks, createRiffHeader } from './riff.ts';
import { boundedDuration } from './duration.ts';

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;

/** Bits per sample by format tag: integers, floating point, A-law and µ-law. */
const BITS: Record<number, readonly number[]> = {
  [PCM]: [8, 16, 24, 32],
  [FLOAT]: [32, 64],
  6: [8],
  7: [8],
};

const FORMAT_LENGTH = 16;
/** Position of the actual tag of an extensible format, at the beginning of a GUID. */
const SUBFORMAT_AT = 24;

/** Uncompressed WAV with one or two channels. */
export const wav: MediaFormat = {
  kind: 'audio',
  mime: 'audio/wav',
  extension: 'wav',
  detectedAs: ['audio/wav'],
  read,
};

interface Format {
  readonly tag: number;
  readonly channels: number;
  readonly sampleRate: number;
  readonly bits: number;
  /** Bytes of one sample for all channels. */
  readonly block: number;
}

/**
 * Rewrites the format and the audio data. Leaves out all other chunks, which may name people and
 * places.
 */
async function read(source: ByteSource): Promise<Contents> {
  let format: Format | undefined;
  for await (const { id, at, length } of riffChunks(source)) {
    if (id === 'fmt ') format ??= readFormat(await source.bytes(at + 8, Math.min(length, 64)));
    if (id !== 'data') continue;
    if (format === undefined) throw new MalformedFileError('audio before its format');
    return contents(format, at + 8, length - (length % format.block));
  }
  throw new MalformedFileError('no audio');
}

function readFormat(bytes: Buffer): Format {
  if (bytes.length < FORMAT_LENGTH) throw new MalformedFileError('no format');
  const declared = bytes.readUInt16LE(0);
  const isExtensible = declared === EXTENSIBLE && bytes.length >= SUBFORMAT_AT + 2;
  const tag = isExtensible ? bytes.readUInt16LE(SUBFORMAT_AT) : declared;
  const channels = bytes.readUInt16LE(2);
  const bits = bytes.readUInt16LE(14);
  const block = bytes.readUInt16LE(12);
  if (BITS[tag]?.includes(bits) !== true || block !== (channels * bits) / 8 || block === 0) {
    throw new MalformedFileError('compressed or inconsistent');
  }
  return { tag, channels, sampleRate: bytes.readUInt32LE(4), bits, block };
}

function contents(format: Format, at: number, length: number): Contents {
  const { tag, channels, sampleRate, bits, block } = format;
  const durationMs = boundedDuration({
    durationMs: (length / block / sampleRate) * 1_000,
    sampleRate,
    channels,
  });
  const chunk = Buffer.alloc(8 + FORMAT_LENGTH);
  chunk.write('fmt ', 'latin1');
  chunk.writeUInt32LE(FORMAT_LENGTH, 4);
  chunk.writeUInt16LE(tag, 8);
  chunk.writeUInt16LE(channels, 10);
  chunk.writeUInt32LE(sampleRate, 12);
  chunk.writeUInt32LE(sampleRate * block, 16);
  chunk.writeUInt16LE(block, 20);
  chunk.writeUInt16LE(bits, 22);
  const data = Buffer.from('data\0\0\0\0', 'latin1');
  data.writeUInt32LE(length, 4);

  const pieces = new Pieces();
  pieces.insert(createRiffHeader('WAVE', chunk.length + data.length + length + (length % 2)));
  pieces.insert(Buffer.concat([chunk, data]));
  pieces.keep(at, at + length);
  pieces.zeros(length % 2);
  return { pieces, durationMs };
}
