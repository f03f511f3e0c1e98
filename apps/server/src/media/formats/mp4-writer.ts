import { box, wordList, words } from './mp4-boxes.ts';
import type { Mp4Codec } from './mp4-codec.ts';
import { Pieces } from './pieces.ts';

interface Recording {
  readonly packets: {
    readonly pieces: Pieces;
    readonly sizes: readonly number[];
    /** In the track's own unit. */
    readonly durations: readonly number[];
    readonly time: number;
  };
  readonly codec: Mp4Codec;
  /** The track's own units in a second. */
  readonly timescale: number;
  /** How much of the beginning is not played, in the track's own unit. */
  readonly skip: number;
  readonly durationMs: number;
}

const FILE_TYPE = box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2mp41', 'latin1'));

/** Units in a second of the movie as a whole. */
const MOVIE_TIMESCALE = 1_000;

const UNITY_MATRIX = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000);
/** «Undetermined», as a language. */
const UNDETERMINED = 0x55c4_0000;
const FULL_VOLUME = 0x0100_0000;
const NORMAL_SPEED = 0x10000;

/** Puts an MP4 file together that is in one piece and has its tables at its beginning. */
export function mp4Pieces(recording: Recording): Pieces {
  const { pieces: sound } = recording.packets;
  const data = Buffer.concat([words(8 + sound.length), Buffer.from('mdat')]);
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
  const header = box(
    'mvhd',
    words(0, 0, 0, MOVIE_TIMESCALE, durationMs, NORMAL_SPEED, FULL_VOLUME, 0, 0),
    UNITY_MATRIX,
    words(0, 0, 0, 0, 0, 0, 2),
  );
  const isEnabled = 3;
  const trackHeader = box(
    'tkhd',
    words(isEnabled, 0, 0, 1, 0, durationMs, 0, 0, 0, FULL_VOLUME),
    UNITY_MATRIX,
    words(0, 0),
  );
  const played = Math.round(((packets.time - skip) / timescale) * MOVIE_TIMESCALE);
  const edits =
    skip > 0 && played > 0
      ? [box('edts', box('elst', words(0, 1, played, skip, NORMAL_SPEED)))]
      : [];
  const media = box(
    'mdia',
    box('mdhd', words(0, 0, 0, timescale, packets.time, UNDETERMINED)),
    box('hdlr', words(0, 0), Buffer.from('soun'), words(0, 0, 0), Buffer.alloc(1)),
    box(
      'minf',
      box('smhd', words(0, 0)),
      box('dinf', box('dref', words(0, 1), box('url ', words(1)))),
      sampleTable(recording, dataAt),
    ),
  );
  return box('moov', header, box('trak', trackHeader, ...edits, media));
}

function sampleTable({ packets, codec }: Recording, dataAt: number): Buffer {
  const { sizes, durations } = packets;
  return box(
    'stbl',
    box('stsd', words(0, 1), codec.entry),
    box('stts', durationRuns(durations)),
    box('stsc', words(0, 1, 1, sizes.length, 1)),
    box('stsz', words(0, 0, sizes.length), wordList(sizes)),
    box('stco', words(0, 1, dataAt)),
  );
}

function durationRuns(durations: readonly number[]): Buffer {
  const runs: number[] = [];
  durations.forEach((duration, index) => {
    const count = runs.length - 2;
    if (index > 0 && duration === durations[index - 1]) runs[count] = (runs[count] ?? 0) + 1;
    else runs.push(1, duration);
  });
  return Buffer.concat([words(0, runs.length / 2), wordList(runs)]);
}
