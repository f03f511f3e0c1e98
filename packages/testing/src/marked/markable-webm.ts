import { createMarkableRecording, marked, type MarkableRecording, type Marking } from './marker.ts';

/** 20 ms of silence in Opus. */
export const SILENT_PACKET = Buffer.from('f8fffe', 'hex');
const PACKETS_PER_CLUSTER = 50;
const CLUSTERS = 2;

/** Creates two seconds of silence as Opus in WebM. */
export function createMarkableWebm(): MarkableRecording {
  return createMarkableRecording('webm', CLUSTERS * PACKETS_PER_CLUSTER * 20, (mark) =>
    Buffer.concat([
      element(
        '1a45dfa3',
        uint('4286', 1),
        element('4282', Buffer.from('webm')),
        unknownElement(mark, 'EBML'),
      ),
      element('18538067', segment(mark)),
      mark.extra('after the segment', () => marked(40)),
    ]),
  );
}

function segment(mark: Marking): Buffer {
  const clusters = Array.from({ length: CLUSTERS }, (_, index) => cluster(mark, index));
  return Buffer.concat([
    mark.extra('void', () => element('ec', marked(30))),
    info(mark),
    element('1654ae6b', track(mark), unknownElement(mark, 'Tracks')),
    mark.extra('chapters', () => element('1043a770', marked(30))),
    mark.extra('attachment', () => element('1941a469', element('61a7', marked(60)))),
    mark.extra('cues', () => element('1c53bb6b', marked(20))),
    ...clusters,
    mark.extra('tags', () => element('1254c367', element('7373', marked(50)))),
    unknownElement(mark, 'Segment'),
  ]);
}

function info(mark: Marking): Buffer {
  return element(
    '1549a966',
    uint('2ad7b1', 1_000_000),
    element('4d80', mark.field('muxing application', Buffer.from('Recorder'))),
    element('5741', mark.field('writing application', Buffer.from('Recorder'))),
    mark.extra('title', () => element('7ba9', marked(20))),
    mark.extra('date', () => element('4461', marked(8))),
    mark.extra('segment UID', () => element('73a4', marked(16))),
    mark.extra('file name', () => element('7384', marked(16))),
    unknownElement(mark, 'Info'),
  );
}

function track(mark: Marking): Buffer {
  const head = Buffer.concat([
    Buffer.from('OpusHead\u0001\u0001', 'latin1'),
    Buffer.from('0000', 'hex'),
    mark.field('sample rate of OpusHead', Buffer.from('80bb0000', 'hex')),
    Buffer.alloc(3),
    mark.extra('after OpusHead', () => marked(12)),
  ]);
  return element(
    'ae',
    uint('d7', 1),
    element('73c5', mark.field('track UID', Buffer.alloc(8, 7))),
    uint('83', 2),
    element('86', Buffer.from('A_OPUS')),
    element('63a2', head),
    element(
      'e1',
      element('b5', Buffer.from('40e7700000000000', 'hex')),
      uint('9f', 1),
      unknownElement(mark, 'Audio'),
    ),
    mark.extra('track name', () => element('536e', marked(16))),
    mark.extra('language', () => element('22b59c', marked(4))),
    mark.extra('codec name', () => element('258688', marked(16))),
    unknownElement(mark, 'TrackEntry'),
  );
}

function cluster(mark: Marking, index: number): Buffer {
  const blocks = Array.from({ length: PACKETS_PER_CLUSTER }, (_, packet) => {
    const head = Buffer.from('81000080', 'hex');
    head.writeInt16BE(packet * 20, 1);
    const between = packet === 20 ? unknownElement(mark, `Cluster ${index}`) : Buffer.alloc(0);
    if (packet !== 30) return Buffer.concat([between, element('a3', head, SILENT_PACKET)]);
    head.writeUInt8(0, 3);
    return element(
      'a0',
      element('a1', head, SILENT_PACKET),
      mark.extra(`block addition ${index}`, () => element('75a1', element('a6', marked(20)))),
      mark.extra(`codec state ${index}`, () => element('a4', marked(20))),
    );
  });
  return element(
    '1f43b675',
    uint('e7', index * PACKETS_PER_CLUSTER * 20),
    mark.extra(`encrypted block ${index}`, () => element('af', marked(12))),
    ...blocks,
    mark.extra(`void in cluster ${index}`, () => element('ec', marked(9))),
  );
}

function unknownElement(mark: Marking, place: string): Buffer {
  return mark.extra(`unknown element in ${place}`, () => element('4fff', marked(24)));
}

/** Creates an element with a 32-bit unsigned integer. */
export function uint(id: string, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return element(id, bytes);
}

/** Creates an EBML element. `id` is the hexadecimal id of the Matroska specification. */
export function element(id: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(0x1000_0000 + body.length);
  return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
}
