import { MalformedFileError, type ByteSource } from './byte-source.ts';
import {
  getBox,
  readBoxContent,
  readBoxes,
  readChildBoxes,
  readTable,
  type Box,
} from './mp4-boxes.ts';

/** A packet of audio: its position in the file, and its duration in the track's timescale. */
export interface Sample {
  readonly at: number;
  readonly size: number;
  readonly duration: number;
  /** Decode time, if the file specifies one. */
  readonly time?: number | undefined;
}

/** Maximum number of packets. Two hours of the shortest ones that browsers record are 360,000. */
export const SAMPLES_MAX = 700_000;

/** Iterates over the packets that a track's `stbl` lists, in decoding order. */
export async function* readListedSamples(
  source: ByteSource,
  table: ReadonlyMap<string, Box>,
): AsyncGenerator<Sample> {
  const sizeBox = getBox(table, 'stsz');
  const [, sameSize = 0, count = 0] = await readTable(source, sizeBox, row(0, 3));
  if (count === 0) return;
  if (count > SAMPLES_MAX) throw new MalformedFileError('too many packets');
  const sizes = sameSize > 0 ? undefined : await readRows(source, sizeBox, 12, 1, count);
  const offsets = await chunkOffsets(source, table);
  const runs = await readCountedTable(source, getBox(table, 'stts'), 2);
  const layout = await readCountedTable(source, getBox(table, 'stsc'), 3);

  let index = 0;
  let run = 0;
  let indexInRun = 0;
  let entry = 0;
  let perChunk = 0;
  for (const [chunk, offset] of offsets.entries()) {
    for (; entry < layout.length && (layout[entry] ?? 0) <= chunk + 1; entry += 3) {
      perChunk = layout[entry + 1] ?? 0;
    }
    let at = offset;
    for (let left = perChunk; left > 0 && index < count; left -= 1) {
      while (run < runs.length && indexInRun >= (runs[run] ?? 0)) {
        run += 2;
        indexInRun = 0;
      }
      const size = sizes?.[index] ?? sameSize;
      yield { at, size, duration: runs[run + 1] ?? 0 };
      at += size;
      index += 1;
      indexInRun += 1;
    }
  }
}

async function chunkOffsets(
  source: ByteSource,
  table: ReadonlyMap<string, Box>,
): Promise<number[]> {
  const short = table.get('stco');
  if (short !== undefined) return Array.from(await readCountedTable(source, short, 1));
  const halves = await readCountedTable(source, getBox(table, 'co64'), 2);
  return Array.from(
    { length: halves.length / 2 },
    (_, index) => (halves[index * 2] ?? 0) * 2 ** 32 + (halves[index * 2 + 1] ?? 0),
  );
}

/** Default values for fragments that set none: from `trex`, overridden by `tfhd`. */
export interface Defaults {
  readonly duration: number;
  readonly size: number;
}

/** Reads the defaults in `trex`, if there is one. */
export async function readDefaults(
  source: ByteSource,
  trackExtends: Box | undefined,
): Promise<Defaults> {
  if (trackExtends === undefined) return { duration: 0, size: 0 };
  const bytes = await readBoxContent(source, trackExtends, 24);
  return { duration: bytes.readUInt32BE(12), size: bytes.readUInt32BE(16) };
}

/** Iterates over the packets of a fragment whose `moof` box begins at `movieAt`. */
export async function* readFragmentSamples(
  source: ByteSource,
  fragment: Box,
  movieAt: number,
  defaults: Defaults,
): AsyncGenerator<Sample> {
  for await (const track of readBoxes(source, fragment.content, fragment.end)) {
    if (track.type !== 'traf') continue;
    const parts = await readChildBoxes(source, track);
    const header = await readBoxContent(source, parts.get('tfhd'), 8);
    const own = trackDefaults(header, defaults);
    const base = own.base ?? movieAt;
    let time = await decodeTime(source, parts.get('tfdt'));
    let next = base;
    for await (const part of readBoxes(source, track.content, track.end)) {
      if (part.type !== 'trun') continue;
      const run = await readRun(source, part, own);
      next = run.offset === undefined ? next : base + run.offset;
      for (let index = 0; index < run.count; index += 1) {
        const { size, duration } = run.sample(index);
        yield { at: next, size, duration, time };
        time = undefined;
        next += size;
      }
    }
  }
}

/** Flags of `tfhd` and `trun`; each one announces a field. */
const BASE_OFFSET = 0x1;
const DESCRIPTION = 0x2;
const DURATION = 0x8;
const SIZE = 0x10;
const RUN_OFFSET = 0x1;
const RUN_FIRST_FLAGS = 0x4;
const RUN_DURATION = 0x100;
const RUN_SIZE = 0x200;
const RUN_FLAGS = 0x400;
const RUN_COMPOSITION = 0x800;

function trackDefaults(header: Buffer, defaults: Defaults) {
  const flags = header.readUInt32BE(0) & 0xffffff;
  let at = 8;
  const field = (flag: number, length: 4 | 8, fallback: number): number => {
    if ((flags & flag) === 0) return fallback;
    if (at + length > header.length) throw new MalformedFileError('unexpected end');
    const value = length === 4 ? header.readUInt32BE(at) : Number(header.readBigUInt64BE(at));
    at += length;
    return value;
  };
  const base = field(BASE_OFFSET, 8, -1);
  field(DESCRIPTION, 4, 0);
  const duration = field(DURATION, 4, defaults.duration);
  const size = field(SIZE, 4, defaults.size);
  return { base: base < 0 ? undefined : base, duration, size };
}

async function decodeTime(source: ByteSource, box: Box | undefined): Promise<number | undefined> {
  if (box === undefined) return undefined;
  const bytes = await readBoxContent(source, box, 8);
  if (bytes.readUInt8(0) === 0) return bytes.readUInt32BE(4);
  if (bytes.length < 12) throw new MalformedFileError('unexpected end');
  return Number(bytes.readBigUInt64BE(4));
}

async function readRun(source: ByteSource, run: Box, defaults: Defaults) {
  const [flags = 0, count = 0] = await readTable(source, run, row(0, 2));
  const has = (flag: number) => ((flags & flag) === 0 ? 0 : 1);
  const [offset] = has(RUN_OFFSET) ? await readTable(source, run, row(8, 1)) : [];
  const columns = has(RUN_DURATION) + has(RUN_SIZE) + has(RUN_FLAGS) + has(RUN_COMPOSITION);
  const tableAt = 8 + 4 * (has(RUN_OFFSET) + has(RUN_FIRST_FLAGS));
  if (count > SAMPLES_MAX) throw new MalformedFileError('too many packets');
  const table = await readRows(source, run, tableAt, columns, count);
  return {
    count,
    offset: offset === undefined ? undefined : offset | 0,
    sample: (index: number) => {
      const from = index * columns;
      return {
        duration: has(RUN_DURATION) ? (table[from] ?? 0) : defaults.duration,
        size: has(RUN_SIZE) ? (table[from + has(RUN_DURATION)] ?? 0) : defaults.size,
      };
    },
  };
}

const row = (at: number, columns: number) => ({ at, columns, rows: 1, max: 1 });

function readRows(source: ByteSource, box: Box, at: number, columns: number, count: number) {
  return readTable(source, box, { at, columns, rows: count, max: SAMPLES_MAX });
}

/** Reads a table that is preceded by its row count. */
async function readCountedTable(
  source: ByteSource,
  box: Box,
  columns: number,
): Promise<Uint32Array> {
  const [count = 0] = await readTable(source, box, row(4, 1));
  return readRows(source, box, 8, columns, count);
}
