import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { pngChunk } from '../png-chunk.ts';
import { MARK, insertAtRandom, markedExif, markedProfile, type Marks } from './marks.ts';

const plain = (name: string) => readFileSync(join(import.meta.dirname, name));

function segment(code: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, code, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

const named = (name: string, content: Buffer) =>
  Buffer.concat([Buffer.from(name, 'latin1'), content]);

/** Creates a JPEG with marks in all kinds of segments, and between and after its parts. */
export function markedJpeg(marks: Marks): Buffer {
  const file = plain('plain.jpg');
  const parts: Buffer[] = [];
  let at = 2;
  while (file[at + 1] !== 0xda) {
    const end = at + 2 + file.readUInt16BE(at + 2);
    if ((file[at + 1] ?? 0) < 0xe0) parts.push(file.subarray(at, end));
    at = end;
  }
  const scan = file.subarray(at, file.length - 2);
  const preview = Buffer.concat([marks.bytes(), Buffer.alloc(60)]).subarray(0, 60);
  const jfif = segment(
    0xe0,
    Buffer.concat([Buffer.from('4a46494600010201004800480405', 'hex'), preview]),
  );
  const profile = markedProfile(marks);
  const half = profile.length >> 1;
  const orientation = 1 + marks.integer(8);
  const others = marks.sample([
    segment(0xe0, named('JFXX\0\x13', marks.bytes())),
    segment(0xe1, named('Exif\0\0', markedExif(marks, orientation))),
    segment(0xe1, named('http://ns.adobe.com/xap/1.0/\0', marks.bytes())),
    segment(0xe1, named('http://ns.adobe.com/xmp/extension/\0', marks.bytes())),
    segment(0xe2, named('MPF\0', marks.bytes())),
    segment(0xe2, named('FPXR\0', marks.bytes())),
    segment(0xe3, named('META\0', marks.bytes())),
    segment(0xec, named('Ducky\0', marks.bytes())),
    segment(0xed, named('Photoshop 3.0\x008BIM\x04\x04', marks.bytes())),
    ...Array.from({ length: 16 }, (_, i) => segment(0xe0 + i, marks.bytes())),
    segment(0xfe, marks.bytes()),
  ]);
  // The segments of a profile must keep their order.
  const profiles = marks.integer(2)
    ? [
        segment(0xe2, named('ICC_PROFILE\0\x01\x02', profile.subarray(0, half))),
        segment(0xe2, named('ICC_PROFILE\0\x02\x02', profile.subarray(half))),
      ]
    : [];
  return Buffer.concat([
    file.subarray(0, 2),
    ...(marks.integer(2) ? [jfif] : []),
    ...profiles,
    ...insertAtRandom(marks, parts, others),
    scan,
    ...marks.sample([
      segment(0xfe, marks.bytes()),
      segment(0xe1, named('Exif\0\0', marks.bytes())),
    ]),
    Buffer.from('ffd9', 'hex'),
    ...marks.sample([marks.bytes(), file, named('ftypmp42', marks.bytes())]),
  ]);
}

function pngRows(marks: Marks, width: number, height: number): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let i = 0; i < rows.length; i += 1) rows[i] = i % (1 + width * 3) ? marks.integer(256) : 0;
  return deflateSync(rows);
}

/** Creates a PNG, half of the time an animated one, with marks in all kinds of chunks. */
export function markedPng(marks: Marks): Buffer {
  const [width, height] = [1 + marks.integer(30), 1 + marks.integer(30)];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const data = pngRows(marks, width, height);
  const half = data.length >> 1;
  const profile = Buffer.concat([
    marks.bytes(),
    Buffer.alloc(2),
    deflateSync(markedProfile(marks)),
  ]);
  const text = () => Buffer.concat([Buffer.from('Author\0'), marks.bytes()]);
  const packed = () => Buffer.concat([Buffer.from('Author\0\0'), deflateSync(marks.bytes())]);
  const anywhere = () =>
    marks.sample([
      pngChunk('tEXt', text()),
      pngChunk('zTXt', packed()),
      pngChunk('iTXt', named('XML:com.adobe.xmp\0\0\0\0\0', marks.bytes())),
      pngChunk('tIME', Buffer.from(MARK.padEnd(7))),
      pngChunk('caBX', marks.bytes()),
      pngChunk('prVt', marks.bytes()),
      pngChunk('gAMA', marks.bytes()),
      pngChunk('sRGB', marks.bytes()),
      pngChunk('sPLT', Buffer.concat([marks.bytes(), Buffer.from('000810203040ff0001', 'hex')])),
    ]);
  const beforeData = marks.sample([
    pngChunk('eXIf', markedExif(marks, 1 + marks.integer(8))),
    pngChunk('iCCP', profile),
    pngChunk('pHYs', Buffer.from('00000b1300000b1301', 'hex')),
    pngChunk('bKGD', Buffer.from('00ff00ff00ff', 'hex')),
  ]);
  const picture = [pngChunk('IDAT', data.subarray(0, half)), pngChunk('IDAT', data.subarray(half))];
  const isAnimated = marks.integer(2) === 0;
  const control = (sequence: number) => {
    const frame = Buffer.alloc(26);
    for (const [at, value] of [
      [0, sequence],
      [4, width],
      [8, height],
    ] as const) {
      frame.writeUInt32BE(value, at);
    }
    // The frame is shown for minutes, so that screenshots can be compared.
    frame.writeUInt16BE(600, 20);
    frame.writeUInt16BE(1, 22);
    return pngChunk('fcTL', frame);
  };
  const count = Buffer.alloc(8);
  count.writeUInt32BE(2, 0);
  const second = Buffer.concat([Buffer.from([0, 0, 0, 2]), pngRows(marks, width, height)]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...insertAtRandom(marks, beforeData, anywhere()),
    ...(isAnimated ? [pngChunk('acTL', count), ...anywhere(), control(0)] : []),
    ...picture,
    ...anywhere(),
    ...(isAnimated ? [control(1), ...anywhere(), pngChunk('fdAT', second)] : []),
    ...anywhere(),
    pngChunk('IEND', Buffer.alloc(0)),
    ...marks.sample([marks.bytes(), pngChunk('tEXt', text())]),
  ]);
}

function riffChunk(id: string, content: Buffer): Buffer {
  const head = Buffer.from(`${id}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/**
 * Creates a WebP, half of the time an animated one, with marks in all kinds of chunks, including in
 * frames.
 */
export function markedWebp(marks: Marks): Buffer {
  const file = plain('plain.webp');
  const start = file.indexOf('VP8 ', 12, 'latin1');
  const length = file.readUInt32LE(start + 4);
  const picture = file.subarray(start, start + 8 + length + (length % 2));
  const others = () =>
    marks.sample([
      riffChunk('EXIF', markedExif(marks, 1)),
      riffChunk('XMP ', marks.bytes()),
      riffChunk('MINE', marks.bytes()),
      riffChunk('C2PA', marks.bytes()),
    ]);
  const isAnimated = marks.integer(2) === 0;
  const hasProfile = marks.integer(2) === 0;
  const header = Buffer.alloc(10);
  header.writeUInt8(0x08 | 0x04 | (isAnimated ? 0x02 : 0) | (hasProfile ? 0x20 : 0), 0);
  header.write('MRK', 1, 'latin1');
  header.writeUIntLE(24 - 1, 4, 3);
  header.writeUIntLE(12 - 1, 7, 3);
  const place = Buffer.alloc(16);
  place.writeUIntLE(24 - 1, 6, 3);
  place.writeUIntLE(12 - 1, 9, 3);
  place.writeUIntLE(600_000, 12, 3);
  const frame = () => riffChunk('ANMF', Buffer.concat([place, picture, ...others()]));
  const body = isAnimated
    ? [riffChunk('ANIM', Buffer.alloc(6)), frame(), ...others(), frame()]
    : [...others(), picture];
  const profile = hasProfile ? [riffChunk('ICCP', markedProfile(marks))] : [];
  const chunks = [riffChunk('VP8X', header), ...profile, ...body, ...others()];
  const form = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]);
  return Buffer.concat([riffChunk('RIFF', form), ...marks.sample([marks.bytes()])]);
}

function subBlocks(...parts: Buffer[]): Buffer {
  return Buffer.concat([
    ...parts.map((part) => Buffer.concat([Buffer.from([part.length]), part])),
    Buffer.alloc(1),
  ]);
}

/** Creates a GIF with one or two frames and marks in all kinds of blocks. */
export function markedGif(marks: Marks): Buffer {
  const extension = (label: number, ...parts: Buffer[]) =>
    Buffer.concat([Buffer.from([0x21, label]), subBlocks(...parts)]);
  const others = () =>
    marks.sample([
      extension(0xfe, marks.bytes()),
      extension(0xff, Buffer.from('XMP DataXMP'), marks.bytes()),
      extension(0xff, Buffer.from('MARKEDxxx01'), marks.bytes()),
      extension(0xff, Buffer.from('ICCRGBG1012'), markedProfile(marks).subarray(0, 255)),
      extension(0xff, Buffer.from('NETSCAPE2.0'), Buffer.from([1, 0, 0]), marks.bytes()),
      extension(0xaa, marks.bytes()),
    ]);
  // Ten minutes, so that screenshots can be compared.
  const control = extension(0xf9, Buffer.from([0, 0x60, 0xea, 0]));
  const image = Buffer.from('2c00000000020001000002024 40a00'.replace(' ', ''), 'hex');
  const frame = () => Buffer.concat([control, image]);
  const frames = Array.from({ length: 1 + marks.integer(2) }, frame);
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    Buffer.from('02000100800000ff00000000ff', 'hex'),
    ...others(),
    ...frames.flatMap((found) => [found].concat(others())),
    Buffer.from([0x3b]),
    ...marks.sample([marks.bytes()]),
  ]);
}
