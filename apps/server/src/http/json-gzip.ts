import { crc32 } from 'node:zlib';
import { takeTurn } from '../scheduling/time-slices.ts';
import { BitWriter } from './bit-writer.ts';
import { createPrefixCode, type PrefixCode } from './prefix-code.ts';

/*
 * Gzip whose output length does not reveal whether values repeat, as a defense against BREACH. With
 * an ordinary compressor, an attacker who can inject text into a response (such as a message
 * preview in a chat list) and observes its encrypted length can guess other values in it. Here,
 * only the structure (property names and the characters between values) is compressed by
 * back-references. Values are encoded with a fixed prefix code, so each adds only its own length.
 */

/** Properties whose value is the same throughout a response. They are compressed as structure. */
const CONSTANTS = new Set(['currentUserId']);

const END_OF_BLOCK = 256;
const LITERALS_AND_LENGTHS = 286;
const LENGTH_MIN = 3;
/** Maximum length in use. The maximum of the format is one higher but has a separate symbol. */
const LENGTH_MAX = 257;
const DISTANCES = 30;
const DISTANCE_MAX = 32_768;

/**
 * Numbers from `first` that share a symbol and are distinguished by extra bits (RFC 1951 §3.2.5).
 */
interface Range {
  readonly symbol: number;
  readonly first: number;
  readonly extraBits: number;
}

const lengthRanges = createRanges(257, 28, LENGTH_MIN, (i) => Math.max(0, Math.floor(i / 4) - 1));
const distanceRanges = createRanges(0, DISTANCES, 1, (i) => Math.max(0, Math.floor(i / 2) - 1));

function createRanges(symbol: number, count: number, first: number, extra: (i: number) => number) {
  let next = first;
  return Array.from({ length: count }, (_, i): Range => {
    const range = { symbol: symbol + i, first: next, extraBits: extra(i) };
    next += 2 ** range.extraBits;
    return range;
  });
}

const literalCode = createPrefixCode(expectedFrequencies());
const distanceCode = createPrefixCode(Array.from({ length: DISTANCES }, () => 1));

/**
 * Estimates how often bytes and lengths occur in responses: ids, text in any script, and structure.
 */
function expectedFrequencies(): number[] {
  const frequencies = Array.from({ length: LITERALS_AND_LENGTHS }, (_, symbol): number =>
    symbol > END_OF_BLOCK ? 8 : symbol >= 0x80 && symbol < 0xc0 ? 25 : 2,
  );
  const commonCharacters: [characters: string, frequency: number][] = [
    ['0123456789abcdef', 70],
    [' eaeinotrs', 40],
    ['dhlucmgw-', 25],
    ['ABCDEFGHIJKLMNOPQRSTUVWXYZ.,?!\'fjkpvxyz"\\/:{}[]', 10],
  ];
  // Leading bytes of non-ASCII letters and emoji.
  for (const byte of [0xc3, 0xce, 0xcf, 0xd0, 0xd1, 0xd8, 0xd9, 0xe2, 0xe3, 0xf0])
    frequencies[byte] = 25;
  for (const [characters, frequency] of commonCharacters) {
    for (const byte of Buffer.from(characters))
      frequencies[byte] = (frequencies[byte] ?? 0) + frequency;
  }
  return frequencies;
}

/** Bytes that are compressed at once: less than a millisecond of work. */
const PIECE = 64 * 1024;

/**
 * Compresses JSON to gzip whose length does not reveal whether values repeat. Long JSON takes several
 * turns of the event loop.
 */
export async function gzipJson(json: string): Promise<Buffer> {
  const bytes = Buffer.from(json);
  const writer = new BitWriter(bytes.length);
  /** The last position of each piece of structure. */
  const seen = new Map<string, number>();

  function writeStructure(start: number, end: number): void {
    const text = bytes.toString('latin1', start, end);
    const size = end - start;
    const distance = start - (seen.get(text) ?? -Infinity);
    seen.set(text, start);
    if (size < LENGTH_MIN || size > LENGTH_MAX || distance > DISTANCE_MAX) {
      writer.writeCodes(literalCode, bytes, start, end);
    } else {
      writeNumber(writer, literalCode, lengthRanges, size);
      writeNumber(writer, distanceCode, distanceRanges, distance);
    }
  }

  writeBlockHeader(writer);
  let written = 0;
  const values = new ValueFinder(bytes, (start, end) => {
    writeStructure(written, start);
    writer.writeCodes(literalCode, bytes, start, end);
    written = end;
  });
  for (let end = PIECE; values.findUntil(end); end += PIECE) await takeTurn();
  writeStructure(written, bytes.length);
  writeSymbol(writer, literalCode, END_OF_BLOCK);
  return Buffer.concat([GZIP_HEADER, writer.finish(), gzipTrailer(bytes)]);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/**
 * Finds the range of each string (without quotes) and number that is neither a property name nor a
 * constant.
 */
class ValueFinder {
  readonly #json: Buffer;
  readonly #onValue: (start: number, end: number) => void;
  #position = 0;
  #isConstant = false;

  constructor(json: Buffer, onValue: (start: number, end: number) => void) {
    this.#json = json;
    this.#onValue = onValue;
  }

  /** Continues at least up to a position. Returns whether there is more. */
  findUntil(position: number): boolean {
    const json = this.#json;
    const end = Math.min(position, json.length);
    let i = this.#position;
    let isConstant = this.#isConstant;
    while (i < end) {
      const start = i;
      if (json[i] === QUOTE) {
        i = findStringEnd(json, i);
        if (json[i] === COLON)
          isConstant = CONSTANTS.has(json.toString('latin1', start + 1, i - 1));
        else if (!isConstant) this.#onValue(start + 1, i - 1);
      } else if (isNumberByte(json[i])) {
        while (isNumberByte(json[i])) i += 1;
        if (!isConstant) this.#onValue(start, i);
      } else {
        i += 1;
      }
    }
    this.#position = i;
    this.#isConstant = isConstant;
    return i < json.length;
  }
}

/** Returns the index after the closing quote of the string that starts at `start`. */
function findStringEnd(json: Buffer, start: number): number {
  let i = start + 1;
  while (i < json.length && json[i] !== QUOTE) i += json[i] === BACKSLASH ? 2 : 1;
  return i + 1;
}

/**
 * Returns whether a byte is part of a number. The `e` of an exponent counts as structure, which is
 * harmless.
 */
function isNumberByte(byte = 0): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2b || byte === 0x2e;
}

function writeSymbol(writer: BitWriter, code: PrefixCode, symbol: number): void {
  writer.write(code.codes[symbol] ?? 0, code.lengths[symbol] ?? 0);
}

function writeNumber(
  writer: BitWriter,
  code: PrefixCode,
  candidates: readonly Range[],
  value: number,
): void {
  const range = candidates.findLast(({ first }) => first <= value);
  if (range === undefined) throw new RangeError(`${value} cannot be written`);
  writeSymbol(writer, code, range.symbol);
  writer.write(value - range.first, range.extraBits);
}

/** Writes the header of the only block, with the lengths of both codes (RFC 1951 §3.2.7). */
function writeBlockHeader(writer: BitWriter): void {
  const lastBlock = 1;
  const dynamicCodes = 2;
  writer.write(lastBlock, 1);
  writer.write(dynamicCodes, 2);
  writer.write(LITERALS_AND_LENGTHS - 257, 5);
  writer.write(DISTANCES - 1, 5);
  // The code of the lengths: 4 bits for each of 0 to 15, without repetitions.
  const lengthCode = createPrefixCode(Array.from({ length: 16 }, () => 1));
  writer.write(19 - 4, 4);
  for (let i = 0; i < 19; i += 1) writer.write(i < 3 ? 0 : 4, 3);
  for (const length of [...literalCode.lengths, ...distanceCode.lengths]) {
    writeSymbol(writer, lengthCode, length);
  }
}

/** Gzip header (RFC 1952 §2.3): DEFLATE, no name, no time, unknown system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

function gzipTrailer(bytes: Buffer): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(bytes));
  trailer.writeUInt32LE(bytes.length, 4);
  return trailer;
}
