import { AAC_BLOCK, AAC_RATES } from './aac.ts';
import { MalformedFileError } from './byte-source.ts';

/** The decoder configuration of AAC in MP4 (ISO/IEC 14496-3 §1.6). */
export interface AacConfig {
  /** The configuration without trailing bytes. */
  readonly bytes: Buffer;
  /** In hertz, of the core audio without its extension. */
  readonly sampleRate: number;
  readonly channels: number;
  /** Samples per channel in a packet. */
  readonly samples: number;
}

const LOW_COMPLEXITY = 2;
const BAND_REPLICATION = 5;
const PARAMETRIC_STEREO = 29;
const EXTENSION_SYNC = 0x2b7;

/**
 * Reads the configuration of AAC-LC, HE-AAC or HE-AAC v2 with one or two channels.
 * @throws {MalformedFileError} for any other configuration.
 */
export function readAacConfig(config: Buffer): AacConfig {
  const bits = new BitReader(config);
  let type = bits.read(5);
  const sampleRate = readRate(bits);
  const channels = bits.read(4);
  if (type === BAND_REPLICATION || type === PARAMETRIC_STEREO) {
    readRate(bits);
    type = bits.read(5);
  }
  if (type !== LOW_COMPLEXITY) throw new MalformedFileError('an unsupported kind of AAC');
  const isShort = bits.read(1) === 1;
  if (bits.read(1) === 1) bits.read(14);
  if (bits.read(1) === 1) throw new MalformedFileError('an unsupported kind of AAC');
  // If this is 0, a program config element defines the channels, and it may contain a comment.
  if (channels !== 1 && channels !== 2) throw new MalformedFileError('too many channels');
  readExtension(bits);
  return { bytes: bits.consumedBytes(), sampleRate, channels, samples: isShort ? 960 : AAC_BLOCK };
}

/** Skips an extension that is signaled after the part that older decoders read. */
function readExtension(bits: BitReader): void {
  if (!bits.has(17) || bits.peek(16) !== ((EXTENSION_SYNC << 5) | BAND_REPLICATION)) return;
  bits.read(16);
  if (bits.read(1) === 0) return;
  readRate(bits);
  const stereoSync = 0x548;
  if (bits.has(12) && bits.peek(11) === stereoSync) bits.read(12);
}

const ESCAPE = 15;

function readRate(bits: BitReader): number {
  const index = bits.read(4);
  const rate = index === ESCAPE ? bits.read(24) : AAC_RATES[index];
  if (rate === undefined) throw new MalformedFileError('no sample rate');
  return rate;
}

/** Reads numbers bit by bit. */
class BitReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  has(count: number): boolean {
    return this.#at + count <= this.#bytes.length * 8;
  }

  peek(count: number): number {
    if (!this.has(count)) throw new MalformedFileError('unexpected end');
    let value = 0;
    for (let at = this.#at; at < this.#at + count; at += 1) {
      value = value * 2 + (((this.#bytes[at >>> 3] ?? 0) >>> (7 - (at & 7))) & 1);
    }
    return value;
  }

  read(count: number): number {
    const value = this.peek(count);
    this.#at += count;
    return value;
  }

  /** Returns the bits read so far, zero-padded to whole bytes. */
  consumedBytes(): Buffer {
    const bytes = Buffer.from(this.#bytes.subarray(0, Math.ceil(this.#at / 8)));
    const rest = this.#at % 8;
    const last = bytes.length - 1;
    if (rest > 0) bytes.writeUInt8(bytes.readUInt8(last) & (0xff00 >>> rest) & 0xff, last);
    return bytes;
  }
}
