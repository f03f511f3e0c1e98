import { readAacConfig } from './aac-config.ts';
import { MalformedFile, type ByteSource } from './byte-source.ts';
import { box, boxContent, boxes, childBoxes, words, type Box } from './mp4-boxes.ts';
import { OPUS_RATE, opusSamples } from './opus.ts';

/** How the sound of a track is coded. */
export interface Mp4Codec {
  readonly sampleRate: number;
  readonly channels: number;
  /** Samples of one channel that a packet decodes to, counted at `sampleRate`. */
  readonly samplesOf: (source: ByteSource, packet: number, length: number) => Promise<number>;
  /** The box that describes it, with nothing in it about the recorder. */
  readonly entry: Buffer;
}

/** Bytes of a sample entry for sound before its boxes. */
const ENTRY_LENGTH = 28;

/**
 * Reads what a track's `stsd` says: AAC or Opus, the only ones that browsers record.
 * @throws {MalformedFile}
 */
export async function readCodec(source: ByteSource, description: Box): Promise<Mp4Codec> {
  const entries: Box[] = [];
  const list = { ...description, content: description.content + 8 };
  for await (const entry of boxes(source, list.content, list.end)) entries.push(entry);
  const [entry, ...others] = entries;
  if (entry === undefined || others.length > 0) throw new MalformedFile('not one kind of sound');
  const head = await source.bytes(entry.content, ENTRY_LENGTH);
  if (head.readUInt16BE(8) !== 0) throw new MalformedFile('another version of a description');
  const parts = await childBoxes(source, { ...entry, content: entry.content + ENTRY_LENGTH });
  if (entry.type === 'mp4a') return aacCodec(await boxContent(source, parts.get('esds'), 4));
  if (entry.type === 'Opus') return opusCodec(await boxContent(source, parts.get('dOps'), 11));
  throw new MalformedFile('another kind of sound');
}

function opusCodec(config: Buffer): Mp4Codec {
  // Version, and the mapping of more than two channels.
  if (config.readUInt8(0) !== 0 || config.readUInt8(10) !== 0) throw new MalformedFile('no Opus');
  const channels = config.readUInt8(1);
  const clean = Buffer.from(config.subarray(0, 11));
  clean.writeUInt32BE(OPUS_RATE, 4);
  return {
    sampleRate: OPUS_RATE,
    channels,
    samplesOf: async (source, packet, length) =>
      opusSamples(await source.bytes(packet, Math.min(2, length))),
    entry: sampleEntry('Opus', channels, OPUS_RATE, box('dOps', clean)),
  };
}

const ES = 3;
const DECODER_CONFIG = 4;
const DECODER_INFO = 5;
const SYNC_LAYER = 6;
const MPEG_4_AUDIO = 0x40;
const AUDIO_STREAM = 0x15;

function aacCodec(esds: Buffer): Mp4Codec {
  const stream = descriptor(esds, 4, ES);
  const flags = stream.readUInt8(2);
  // A dependence on another stream, an address, or another clock.
  if ((flags & 0xe0) !== 0) throw new MalformedFile('another kind of stream');
  const config = descriptor(stream, 3, DECODER_CONFIG);
  if (config.readUInt8(0) !== MPEG_4_AUDIO) throw new MalformedFile('another kind of AAC');
  const { bytes, sampleRate, channels, samples } = readAacConfig(
    descriptor(config, 13, DECODER_INFO),
  );
  const decoder = Buffer.concat([
    Buffer.from([MPEG_4_AUDIO, AUDIO_STREAM, 0, 0, 0]),
    words(0, 0),
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
      box('esds', words(0), writeDescriptor(ES, es)),
    ),
  };
}

/** Returns the content of a descriptor of MPEG-4 (ISO/IEC 14496-1) at a position. */
function descriptor(bytes: Buffer, at: number, tag: number): Buffer {
  if (bytes[at] !== tag) throw new MalformedFile('no descriptor');
  let length = 0;
  let next = at + 1;
  for (let more = true; more; next += 1) {
    const byte = bytes[next];
    if (byte === undefined || next > at + 4) throw new MalformedFile('no descriptor');
    length = (length << 7) | (byte & 0x7f);
    more = (byte & 0x80) !== 0;
  }
  // Enough for what is read of each.
  const content = bytes.subarray(next, next + length);
  if (content.length < length || length < 2) throw new MalformedFile('ends too early');
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
  // 16.16; a rate that does not fit stands in the configuration alone.
  head.writeUInt16BE(sampleRate > 0xffff ? 0 : sampleRate, 24);
  return box(type, head, config);
}
