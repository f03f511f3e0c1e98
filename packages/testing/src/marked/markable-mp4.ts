import { createMarkableRecording, marked, Marking, type MarkableRecording } from './marker.ts';
import { SILENT_PACKET } from './markable-webm.ts';

const OPUS_PACKETS = 100;
/** 1,024 samples of silence in AAC, one channel. */
const SILENT_AAC = Buffer.from('00c800802380', 'hex');
const AAC_PACKETS = 86;
const AAC_RATE = 44_100;

/** Creates two seconds of silence as AAC in unfragmented MP4, as phones record it. */
export function createMarkableMp4(): MarkableRecording {
  const durationMs = Math.round((AAC_PACKETS * 1_024 * 1_000) / AAC_RATE);
  return createMarkableRecording('mp4', durationMs, (mark) => {
    const type = fileType(mark);
    const gap = mark.extra('gap in the data', () => marked(33));
    const half = AAC_PACKETS / 2;
    const packets = Buffer.concat(Array.from({ length: half }, () => SILENT_AAC));
    const data = box(
      'mdat',
      packets,
      gap,
      packets,
      mark.extra('end of the data', () => marked(9)),
    );
    const first = type.length + 8;
    const entry = box(
      'mp4a',
      soundEntry(mark, 1, AAC_RATE),
      elementaryStream(mark, Buffer.from('1208', 'hex')),
      junk(mark, 'mp4a'),
    );
    const table = [
      box('stsd', words(0, 1), entry),
      box(
        'stts',
        words(0, 1, AAC_PACKETS, 1_024),
        mark.extra('after stts', () => marked(8)),
      ),
      box('stsc', words(0, 1, 1, half, 1)),
      box('stsz', words(0, SILENT_AAC.length, AAC_PACKETS)),
      box('stco', words(0, 2, first, first + packets.length + gap.length)),
      mark.extra('sdtp', () => box('sdtp', marked(90))),
    ];
    const moov = movie(mark, {
      timescale: AAC_RATE,
      duration: AAC_PACKETS * 1_024,
      table,
      extra: [],
    });
    return Buffer.concat([
      type,
      data,
      moov,
      junk(mark, 'file'),
      mark.extra('after the last box', () => marked(5)),
    ]);
  });
}

interface PlainMovie {
  /** Samples per second. */
  readonly rate: number;
  readonly count: number;
  /** Duration of each packet according to the table, in samples. */
  readonly duration: number;
  /** Size of each packet in bytes. */
  readonly size: number;
  /** Offset of the first packet in the file. */
  readonly at: number;
}

/** Creates the tables of an AAC recording with consecutive packets. */
export function mp4Movie({ rate, count, duration, size, at }: PlainMovie): Buffer {
  const mark = new Marking(new Set());
  // AAC-LC, 8 kHz, one channel.
  const stream = elementaryStream(mark, Buffer.from('1588', 'hex'));
  const table = [
    box('stsd', words(0, 1), box('mp4a', soundEntry(mark, 1, rate), stream)),
    box('stts', words(0, 1, count, duration)),
    box('stsc', words(0, 1, 1, count, 1)),
    box('stsz', words(0, size, count)),
    box('stco', words(0, 1, at)),
  ];
  return movie(mark, { timescale: rate, duration: count * duration, table, extra: [] });
}

/** Creates two seconds of silence as Opus in fragmented MP4, as browsers record it. */
export function createMarkableFragmentedMp4(): MarkableRecording {
  return createMarkableRecording('mp4', OPUS_PACKETS * 20, (mark) => {
    const opus = Buffer.concat([
      Buffer.from('00010000', 'hex'),
      mark.field('sample rate of dOps', words(48_000)),
      Buffer.alloc(3),
      mark.extra('after dOps', () => marked(8)),
    ]);
    const entry = box('Opus', soundEntry(mark, 1, 48_000), box('dOps', opus), junk(mark, 'Opus'));
    const table = [
      box('stsd', words(0, 1), entry),
      box('stts', words(0, 0)),
      box('stsc', words(0, 0)),
      box('stsz', words(0, 0, 0)),
      box('stco', words(0, 0)),
    ];
    const extra = [box('mvex', box('trex', words(0, 1, 1, 960, 0, 0)), junk(mark, 'mvex'))];
    return Buffer.concat([
      fileType(mark),
      movie(mark, { timescale: 48_000, duration: 0, table, extra }),
      mark.extra('sidx', () => box('sidx', marked(32))),
      fragment(mark, 0),
      junk(mark, 'file'),
      fragment(mark, 1),
      mark.extra('mfra', () => box('mfra', marked(32))),
    ]);
  });
}

function fragment(mark: Marking, index: number): Buffer {
  const count = OPUS_PACKETS / 2;
  const gap = mark.extra(`gap in fragment ${index}`, () => marked(13));
  const inFragment = junk(mark, `moof ${index}`);
  const inTrack = junk(mark, `traf ${index}`);
  const make = (offset: number): Buffer =>
    box(
      'moof',
      box('mfhd', words(0, index + 1)),
      inFragment,
      box(
        'traf',
        box('tfhd', words(0x020000, 1)),
        inTrack,
        box('tfdt', words(0, index * count * 960)),
        box(
          'trun',
          words(0x201, count, offset),
          ...Array.from({ length: count }, () => words(SILENT_PACKET.length)),
        ),
      ),
    );
  const length = make(0).length;
  const packets = Buffer.concat(Array.from({ length: count }, () => SILENT_PACKET));
  return Buffer.concat([make(length + 8 + gap.length), box('mdat', gap, packets)]);
}

function fileType(mark: Marking): Buffer {
  return box(
    'ftyp',
    Buffer.from('isom'),
    mark.field('version of the brand', words(512)),
    Buffer.from('isom'),
    mark.extra('brand', () => marked(4)),
  );
}

interface Movie {
  readonly timescale: number;
  readonly duration: number;
  readonly table: readonly Buffer[];
  readonly extra: readonly Buffer[];
}

function movie(mark: Marking, { timescale, duration, table, extra }: Movie): Buffer {
  const time = (place: string) => mark.field(place, words(0));
  const matrix = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000);
  return box(
    'moov',
    box(
      'mvhd',
      words(0),
      time('creation of mvhd'),
      time('modification of mvhd'),
      words(1_000, 2_000, 0x10000, 0x0100_0000, 0, 0),
      matrix,
      mark.field('preview of mvhd', Buffer.alloc(24)),
      words(2),
    ),
    junk(mark, 'moov'),
    box(
      'trak',
      box(
        'tkhd',
        words(3),
        time('creation of tkhd'),
        time('modification of tkhd'),
        words(1, 0, 2_000, 0, 0, 0, 0x0100_0000),
        matrix,
        words(0, 0),
      ),
      junk(mark, 'trak'),
      box(
        'mdia',
        box(
          'mdhd',
          words(0),
          time('creation of mdhd'),
          time('modification of mdhd'),
          words(timescale, duration),
          mark.field('language', words(0x55c4_0000)),
        ),
        box(
          'hdlr',
          words(0),
          mark.field('component of hdlr', words(0)),
          Buffer.from('soun'),
          words(0, 0, 0),
          mark.field('name of hdlr', Buffer.from('Recorder\0')),
        ),
        junk(mark, 'mdia'),
        box(
          'minf',
          box('smhd', words(0, 0)),
          box(
            'dinf',
            box(
              'dref',
              words(0, 1),
              box(
                'url ',
                words(1),
                mark.extra('address of dref', () => marked(30)),
              ),
            ),
          ),
          junk(mark, 'minf'),
          box('stbl', ...table, junk(mark, 'stbl')),
        ),
      ),
    ),
    ...extra,
  );
}

function soundEntry(mark: Marking, channels: number, sampleRate: number): Buffer {
  return Buffer.concat([
    Buffer.from('0000000000000001', 'hex'),
    Buffer.alloc(2),
    mark.field('vendor', Buffer.alloc(6)),
    Buffer.from([0, channels, 0, 16, 0, 0, 0, 0]),
    words((sampleRate << 16) >>> 0),
  ]);
}

function elementaryStream(mark: Marking, aac: Buffer): Buffer {
  const config = Buffer.concat([aac, mark.extra('after the configuration', () => marked(12))]);
  const decoder = Buffer.concat([
    Buffer.from('401500000000000000', 'hex'),
    words(128_000),
    tagged(5, config),
  ]);
  const stream = Buffer.concat([
    Buffer.from('000000', 'hex'),
    tagged(4, decoder),
    tagged(6, Buffer.from([2])),
    mark.extra('descriptor', () => tagged(0x10, marked(16))),
  ]);
  return box('esds', words(0), tagged(3, stream));
}

/** Creates all boxes without sound that may occur inside another box. */
function junk(mark: Marking, place: string): Buffer {
  const item = (type: string) => mark.extra(`${type} in ${place}`, () => box(type, marked(28)));
  return Buffer.concat([
    mark.extra(`nested udta in ${place}`, () =>
      box('udta', words(0), box('meta', words(0), box('ilst', marked(40)))),
    ),
    ...['meta', 'uuid', 'free', 'skip', 'wide', 'abcd'].map(item),
  ]);
}

function tagged(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
}

/** Encodes 32-bit integers. */
export function words(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, index) => bytes.writeUInt32BE(number, index * 4));
  return bytes;
}

/** Creates a box. */
export function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(parts.reduce((sum, part) => sum + part.length, 8));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...parts]);
}
