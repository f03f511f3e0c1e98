import { writeBox, writeUint32List, writeUint32s } from './mp4-boxes.ts';
import type { Mp4Codec } from './mp4-codec.ts';
import { Pieces } from './pieces.ts';

interface Recording {
  readonly packets: {
    readonly pieces: Pieces;
    readonly sizes: readonly number[];
    /** In the track's timescale. */
    readonly durations: readonly number[];
    readonly time: number;
  };
  readonly codec: Mp4Codec;
  /** The track's timescale: its units per second. */
  readonly timescale: number;
  /** Duration of the beginning that is not played, in the track's timescale. */
  readonly skip: number;
  readonly durationMs: number;
}

const FILE_TYPE = writeBox('ftyp', Buffer.from('isom\0\0\x02\0isomiso2mp41', 'latin1'));

/** Timescale of the movie as a whole. */
const MOVIE_TIMESCALE = 1_000;

const UNITY_MATRIX = writeUint32s(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000);
/** The language code "und" (undetermined). */
const UNDETERMINED = 0x55c4_0000;
const FULL_VOLUME = 0x0100_0000;
const NORMAL_SPEED = 0x10000;

/** Builds an unfragmented MP4 file with its tables at the beginning. */
export function mp4Pieces(recording: Recording): Pieces {
  const { pieces: sound } = recording.packets;
  const data = Buffer.concat([writeUint32s(8 + sound.length), Buffer.from('mdat')]);
  const length = movie(recording, 0).length;
  const head = Buffer.concat([
    FILE_TYPE,
    movie(recording, FILE_TYPE.length + length + data.length),
    data,
  ]);
  const pieces = new Pieces();
  pieces.insert(head);
  pieces.append(sound);
  return pieces;
}

function movie(recording: Recording, dataAt: number): Buffer {
  const { packets, timescale, skip, durationMs } = recording;
  const header = writeBox(
    'mvhd',
    writeUint32s(0, 0, 0, MOVIE_TIMESCALE, durationMs, NORMAL_SPEED, FULL_VOLUME, 0, 0),
    UNITY_MATRIX,
    writeUint32s(0, 0, 0, 0, 0, 0, 2),
  );
  const enabledInMovie = 3;
  const trackHeader = writeBox(
    'tkhd',
    writeUint32s(enabledInMovie, 0, 0, 1, 0, durationMs, 0, 0, 0, FULL_VOLUME),
    UNITY_MATRIX,
    writeUint32s(0, 0),
  );
  const played = Math.round(((packets.time - skip) / timescale) * MOVIE_TIMESCALE);
  const edits =
    skip > 0 && played > 0
      ? [writeBox('edts', writeBox('elst', writeUint32s(0, 1, played, skip, NORMAL_SPEED)))]
      : [];
  const media = writeBox(
    'mdia',
    writeBox('mdhd', writeUint32s(0, 0, 0, timescale, packets.time, UNDETERMINED)),
    writeBox(
      'hdlr',
      writeUint32s(0, 0),
      Buffer.from('soun'),
      writeUint32s(0, 0, 0),
      Buffer.alloc(1),
    ),
    writeBox(
      'minf',
      writeBox('smhd', writeUint32s(0, 0)),
      writeBox('dinf', writeBox('dref', writeUint32s(0, 1), writeBox('url ', writeUint32s(1)))),
      sampleTable(recording, dataAt),
    ),
  );
  return writeBox('moov', header, writeBox('trak', trackHeader, ...edits, media));
}

function sampleTable({ packets, codec }: Recording, dataAt: number): Buffer {
  const { sizes, durations } = packets;
  return writeBox(
    'stbl',
    writeBox('stsd', writeUint32s(0, 1), codec.entry),
    writeBox('stts', durationRuns(durations)),
    writeBox('stsc', writeUint32s(0, 1, 1, sizes.length, 1)),
    writeBox('stsz', writeUint32s(0, 0, sizes.length), writeUint32List(sizes)),
    writeBox('stco', writeUint32s(0, 1, dataAt)),
  );
}

function durationRuns(durations: readonly number[]): Buffer {
  const runs: number[] = [];
  durations.forEach((duration, index) => {
    const count = runs.length - 2;
    if (index > 0 && duration === durations[index - 1]) runs[count] = (runs[count] ?? 0) + 1;
    else runs.push(1, duration);
  });
  return Buffer.concat([writeUint32s(0, runs.length / 2), writeUint32List(runs)]);
}
