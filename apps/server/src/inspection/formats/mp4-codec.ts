import { readAacConfig } from './aac-config.ts';
import { MalformedFileError, type ByteSource } from './byte-source.ts';
import {
  readBoxContent,
  readBoxes,
  readChildBoxes,
  writeBox,
  writeUint32s,
  type Box,
} from './mp4-boxes.ts';
import { OPUS_RATE, opusSamples } from './opus.ts';

/** The encoding of a track's audio. */
export interface Mp4Codec {
  readonly sampleRate: number;
  readonly channels: number;
  /** Returns how many samples per channel a packet decodes to, at `sampleRate`. */
  readonly samplesOf: (source: ByteSource, packet: number, length: number) => Promise<number>;
  /** The rewritten sample entry, without anything that identifies the recorder. */
  readonly entry: Buffer;
}

/** Bytes of an audio sample entry before its child boxes. */
const ENTRY_LENGTH = 28;

/**
 * Reads a track's `stsd`. Supports AAC and Opus, the only codecs that browsers record in MP4.
 * @throws {MalformedFileError} for other codecs.
 */
export async function readCodec(source: ByteSource, description: Box): Promise<Mp4Codec> {
  const entries: Box[] = [];
  const list = { ...description, content: description.content + 8 };
  for await (const entry of readBoxes(source, list.content, list.end)) entries.push(entry);
  const [entry, ...others] = entries;
  if (entry === undefined || others.length > 0)
    throw new MalformedFileError('not exactly one codec');
  const head = await source.bytes(entry.content, ENTRY_LENGTH);
  if (head.readUInt16BE(8) !== 0)
    throw new MalformedFileError('an unsupported version of the sample entry');
  const parts = await readChildBoxes(source, { ...entry, content: entry.content + ENTRY_LENGTH });
  if (entry.type === 'mp4a') return aacCodec(await readBoxContent(source, parts.get('esds'), 4));
  if (entry.type === 'Opus') return opusCodec(await readBoxContent(source, parts.get('dOps'), 11));
  throw new MalformedFileError('an unsupported codec');
}

function opusCodec(config: Buffer): Mp4Codec {
  // The version, and the channel mapping that more than two channels need.
  if (config.readUInt8(0) !== 0 || config.readUInt8(10) !== 0)
    throw new MalformedFileError('not Opus');
  const channels = config.readUInt8(1);
  const clean = Buffer.from(config.subarray(0, 11));
  clean.writeUInt32BE(OPUS_RATE, 4);
  return {
    sampleRate: OPUS_RATE,
    channels,
    samplesOf: async (source, packet, length) =>
      opusSamples(await source.bytes(packet, Math.min(2, length))),
    entry: sampleEntry('Opus', channels, OPUS_RATE, writeBox('dOps', clean)),
  };
}

const ES = 3;
const DECODER_CONFIG = 4;
const DECODER_INFO = 5;
const SYNC_LAYER = 6;
const MPEG_4_AUDIO = 0x40;
const AUDIO_STREAM = 0x15;

function aacCodec(esds: Buffer): Mp4Codec {
  const stream = readDescriptor(esds, 4, ES);
  const flags = stream.readUInt8(2);
  // Flags for a dependency on another stream, a URL, or a separate clock.
  if ((flags & 0xe0) !== 0) throw new MalformedFileError('an unsupported kind of stream');
  const config = readDescriptor(stream, 3, DECODER_CONFIG);
  if (config.readUInt8(0) !== MPEG_4_AUDIO)
    throw new MalformedFileError('an unsupported kind of AAC');
  const { bytes, sampleRate, channels, samples } = readAacConfig(
    readDescriptor(config, 13, DECODER_INFO),
  );
  const decoder = Buffer.concat([
    Buffer.from([MPEG_4_AUDIO, AUDIO_STREAM, 0, 0, 0]),
    writeUint32s(0, 0),
    writeDescriptor(DECODER_INFO, bytes),
  ]);
  const es = Buffer.concat([
    Buffer.from([0, 0, 0]),
    writeDescriptor(DECODER_CONFIG, decoder),
    writeDescriptor(SYNC_LAYER, Buffer.from([2])),
  ]);
  return {
    sampleRate,
    channels,
    samplesOf: async () => samples,
    entry: sampleEntry(
      'mp4a',
      channels,
      sampleRate,
      writeBox('esds', writeUint32s(0), writeDescriptor(ES, es)),
    ),
  };
}

/** Returns the content of an MPEG-4 descriptor (ISO/IEC 14496-1) at a position. */
function readDescriptor(bytes: Buffer, at: number, tag: number): Buffer {
  if (bytes[at] !== tag) throw new MalformedFileError('an invalid descriptor');
  let length = 0;
  let next = at + 1;
  for (let more = true; more; next += 1) {
    const byte = bytes[next];
    if (byte === undefined || next > at + 4) throw new MalformedFileError('an invalid descriptor');
    length = (length << 7) | (byte & 0x7f);
    more = (byte & 0x80) !== 0;
  }
  // Two bytes are enough for the fields read below.
  const content = bytes.subarray(next, next + length);
  if (content.length < length || length < 2) throw new MalformedFileError('unexpected end');
  return content;
}

function writeDescriptor(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
}

function sampleEntry(type: string, channels: number, sampleRate: number, config: Buffer): Buffer {
  const head = Buffer.alloc(ENTRY_LENGTH);
  head.writeUInt16BE(1, 6);
  head.writeUInt16BE(channels, 16);
  head.writeUInt16BE(16, 18);
  // Fixed-point 16.16. A rate that does not fit is only in the decoder configuration.
  head.writeUInt16BE(sampleRate > 0xffff ? 0 : sampleRate, 24);
  return writeBox(type, head, config);
}
