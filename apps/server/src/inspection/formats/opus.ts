import { MalformedFileError } from './byte-source.ts';

/** Samples per second in all durations of Opus, regardless of the recording's sample rate. */
export const OPUS_RATE = 48_000;

const HEAD_MAGIC = 'OpusHead';
/** Bytes of a header for one or two channels (RFC 7845 §5.1). */
const HEAD_LENGTH = 19;

/** The decoder configuration of an Opus stream. */
export interface OpusConfig {
  readonly channels: number;
  /** Samples at the beginning that are not played. */
  readonly preSkip: number;
  /** In 1/256 decibel. */
  readonly gain: number;
}

/**
 * Reads an `OpusHead` as stored in WebM.
 * @throws {MalformedFileError} if it is invalid or its channel mapping allows more than two channels.
 */
export function readOpusHead(head: Buffer): OpusConfig {
  const isHead = head.length >= HEAD_LENGTH && head.toString('latin1', 0, 8) === HEAD_MAGIC;
  if (!isHead || head.readUInt8(18) !== 0) throw new MalformedFileError('no Opus header');
  return {
    channels: head.readUInt8(9),
    preSkip: head.readUInt16LE(10),
    gain: head.readInt16LE(16),
  };
}

/** Encodes an `OpusHead` without anything that identifies the recorder. */
export function writeOpusHead({ channels, preSkip, gain }: OpusConfig): Buffer {
  const head = Buffer.alloc(HEAD_LENGTH);
  head.write(HEAD_MAGIC, 'latin1');
  head.writeUInt8(1, 8);
  head.writeUInt8(channels, 9);
  head.writeUInt16LE(preSkip, 10);
  head.writeUInt32LE(OPUS_RATE, 12);
  head.writeInt16LE(gain, 16);
  return head;
}

/** Samples in the longest packet that RFC 6716 allows: 120 ms. */
const PACKET_SAMPLES_MAX = 5_760;

/**
 * Returns how many samples a packet decodes to, from its first two bytes (RFC 6716 §3.1).
 * @throws {MalformedFileError} if they cannot begin an Opus packet.
 */
export function opusSamples(packet: Buffer): number {
  const toc = packet[0];
  if (toc === undefined) throw new MalformedFileError('empty packet');
  const frames = frameCount(toc & 3, packet[1]);
  const samples = frames * frameSamples(toc >>> 3);
  if (samples === 0 || samples > PACKET_SAMPLES_MAX)
    throw new MalformedFileError('not an Opus packet');
  return samples;
}

function frameCount(code: number, second: number | undefined): number {
  if (code === 0) return 1;
  if (code < 3) return 2;
  return (second ?? 0) & 0x3f;
}

function frameSamples(config: number): number {
  // SILK: 10, 20, 40, 60 ms; hybrid: 10, 20 ms; CELT: 2.5, 5, 10, 20 ms.
  if (config < 12) return [480, 960, 1_920, 2_880][config & 3] ?? 0;
  if (config < 16) return (config & 1) === 0 ? 480 : 960;
  return 120 << (config & 3);
}
