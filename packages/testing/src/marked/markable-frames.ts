import { createMarkableRecording, marked, type MarkableRecording, type Marking } from './marker.ts';

/** Creates two seconds of silence in MP3: MPEG 1, 128 kbit/s, 44.1 kHz. */
export function createMarkableMp3(): MarkableRecording {
  const frame = Buffer.alloc(417);
  frame.writeUInt32BE(0xfffb9064);
  const info = Buffer.from(frame);
  info.write('Info', 36, 'latin1');
  return createMarkableFrames('mp3', Math.round((77 * 1_152 * 1_000) / 44_100), (mark) => {
    const index = Buffer.from(info);
    mark.field('encoder', Buffer.alloc(9)).copy(index, 156);
    const first = mark.extra('Xing', () => index);
    return { first, frame, count: 77 };
  });
}

/** Creates two seconds of silence in AAC: ADTS, 44.1 kHz, two channels. */
export function createMarkableAac(): MarkableRecording {
  const sound = Buffer.from('210049900219002380', 'hex');
  const frame = Buffer.concat([Buffer.from('fff15080021ffc', 'hex'), sound]);
  return createMarkableFrames('aac', Math.round((86 * 1_024 * 1_000) / 44_100), () => ({
    first: Buffer.alloc(0),
    frame,
    count: 86,
  }));
}

interface Frames {
  readonly first: Buffer;
  readonly frame: Buffer;
  readonly count: number;
}

function createMarkableFrames(
  extension: 'mp3' | 'aac',
  durationMs: number,
  createFrames: (mark: Marking) => Frames,
): MarkableRecording {
  return createMarkableRecording(extension, durationMs, (mark) => {
    const { first, frame, count } = createFrames(mark);
    const frames = (from: number, to: number) => Array.from({ length: to - from }, () => frame);
    return Buffer.concat([
      mark.extra('ID3v2', () => id3(200)),
      mark.extra('second ID3v2', () => id3(4_000)),
      mark.extra('padding with words', () => Buffer.concat([id3(20), marked(70)])),
      first,
      ...frames(0, 20),
      mark.extra('ID3v2 in the middle', () => id3(300)),
      ...frames(20, 50),
      mark.extra('ID3v1 in the middle', id3v1),
      ...frames(50, count),
      mark.extra('Lyrics3', () =>
        Buffer.concat([Buffer.from('LYRICSBEGIN'), marked(90), Buffer.from('000101LYRICS200')]),
      ),
      mark.extra('APE', ape),
      mark.extra('second APE', ape),
      mark.extra('ID3v1', id3v1),
    ]);
  });
}

function id3(length: number): Buffer {
  const size = [length >>> 21, (length >>> 14) & 0x7f, (length >>> 7) & 0x7f, length & 0x7f];
  return Buffer.concat([Buffer.from('ID3\u0004\0\0', 'latin1'), Buffer.from(size), marked(length)]);
}

function id3v1(): Buffer {
  return Buffer.concat([Buffer.from('TAG'), marked(125)]);
}

function ape(): Buffer {
  const headerOrFooter = (flags: number) => {
    const bytes = Buffer.alloc(32);
    bytes.write('APETAGEX', 'latin1');
    bytes.writeUInt32LE(2_000, 8);
    bytes.writeUInt32LE(80 + 32, 12);
    bytes.writeUInt32LE(1, 16);
    bytes.writeUInt32LE(flags, 20);
    return bytes;
  };
  return Buffer.concat([headerOrFooter(0xa000_0000), marked(80), headerOrFooter(0x8000_0000)]);
}
