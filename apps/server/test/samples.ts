import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeBmp, pngChunk } from '@parley/testing';

/** Returns a file from the folder `samples`, created by a browser. Images have 24 by 12 pixels. */
export function sample(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, 'samples', name));
}

/** Text in metadata that must be removed. */
export const SECRET = 'Anna was here, with her camera';

function exifEntry(tag: number, type: number, count: number, value: number | Buffer): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt16LE(tag, 0);
  bytes.writeUInt16LE(type, 2);
  bytes.writeUInt32LE(count, 4);
  if (typeof value !== 'number') value.copy(bytes, 8);
  else if (type === 3) bytes.writeUInt16LE(value, 8);
  else bytes.writeUInt32LE(value, 8);
  return bytes;
}

/** Creates an Exif block like those of phones, with orientation, camera and location. */
export function exifWithLocation(orientation: number): Buffer {
  const camera = Buffer.from(`${SECRET}\0`, 'latin1');
  const mainAt = 8;
  const gpsAt = mainAt + 2 + 3 * 12 + 4;
  const dataAt = gpsAt + 2 + 2 * 12 + 4;
  const head = Buffer.from('49492a0008000000', 'hex');
  const none = Buffer.alloc(4);
  const latitude = Buffer.from(Uint32Array.of(52, 1, 31, 1, 12, 1).buffer);
  return Buffer.concat([
    head,
    Buffer.from([3, 0]),
    exifEntry(0x010f, 2, camera.length, dataAt),
    exifEntry(0x0112, 3, 1, orientation),
    exifEntry(0x8825, 4, 1, gpsAt),
    none,
    Buffer.from([2, 0]),
    exifEntry(0x0001, 2, 2, Buffer.from('N\0')),
    exifEntry(0x0002, 5, 3, dataAt + camera.length),
    none,
    camera,
    latitude,
  ]);
}

function jpegSegment(code: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, code, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

function secretAfter(prefix: string): Buffer {
  return Buffer.from(prefix + SECRET, 'latin1');
}

/** Creates a JPEG with location, camera, comments, XMP, IPTC, and a video after its end. */
export function jpegWithMetadata(orientation = 1): Buffer {
  const plain = sample('picture.jpg');
  return Buffer.concat([
    plain.subarray(0, 2),
    jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exifWithLocation(orientation)])),
    jpegSegment(0xe1, secretAfter('http://ns.adobe.com/xap/1.0/\0')),
    jpegSegment(0xe2, secretAfter('MPF\0')),
    jpegSegment(0xed, secretAfter('Photoshop 3.0\0')),
    jpegSegment(0xfe, secretAfter('')),
    plain.subarray(2),
    secretAfter('ftypmp42'),
  ]);
}

/** Creates a PNG with location, camera, texts and time. */
export function pngWithMetadata(orientation = 1): Buffer {
  const plain = sample('picture.png');
  const afterHeader = 8 + 25;
  return Buffer.concat([
    plain.subarray(0, afterHeader),
    pngChunk('eXIf', exifWithLocation(orientation)),
    pngChunk('tEXt', Buffer.from(`Author\0${SECRET}`)),
    pngChunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${SECRET}`)),
    pngChunk('tIME', Buffer.from('07e90102030405', 'hex')),
    pngChunk('prVt', Buffer.from(SECRET)),
    plain.subarray(afterHeader),
    Buffer.from(SECRET),
  ]);
}

/** Creates a RIFF chunk, padded to an even length. */
export function riffChunk(id: string, content: Buffer): Buffer {
  const head = Buffer.from(`${id}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** Creates a RIFF file of a form such as `WEBP`. */
export function riff(form: string, ...chunks: Buffer[]): Buffer {
  return riffChunk('RIFF', Buffer.concat([Buffer.from(form, 'latin1'), ...chunks]));
}

/** Creates a WebP with location, camera and XMP. */
export function webpWithMetadata(orientation = 1): Buffer {
  const plain = sample('picture.webp');
  // The chunks of the image itself, without an extended header.
  const start = plain.indexOf('VP8 ', 12, 'latin1');
  const header = Buffer.alloc(10);
  header.writeUInt8(0x08 | 0x04, 0);
  header.writeUIntLE(24 - 1, 4, 3);
  header.writeUIntLE(12 - 1, 7, 3);
  return riff(
    'WEBP',
    riffChunk('VP8X', header),
    plain.subarray(start),
    riffChunk('EXIF', exifWithLocation(orientation)),
    riffChunk('XMP ', Buffer.from(SECRET)),
    riffChunk('MINE', Buffer.from(SECRET)),
  );
}

function gifBlocks(...parts: string[]): Buffer {
  return Buffer.concat([
    ...parts.map((part) =>
      Buffer.concat([Buffer.from([part.length]), Buffer.from(part, 'latin1')]),
    ),
    Buffer.from([0]),
  ]);
}

/** Creates an animated GIF of 2 by 1 pixels with a comment and XMP. */
export function gifWithMetadata(): Buffer {
  const control = Buffer.from('21f904000a000000', 'hex');
  const frame = Buffer.from('2c000000000200010000020244 0a00'.replaceAll(' ', ''), 'hex');
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    Buffer.from('02000100800000ff00000000ff', 'hex'),
    Buffer.from([0x21, 0xff]),
    gifBlocks('NETSCAPE2.0', '\x01\x00\x00'),
    Buffer.from([0x21, 0xfe]),
    gifBlocks(SECRET),
    Buffer.from([0x21, 0xff]),
    gifBlocks('XMP DataXMP', SECRET),
    control,
    frame,
    control,
    frame,
    Buffer.from([0x3b]),
    Buffer.from(SECRET),
  ]);
}

/** Creates a BMP of 2 by 2 pixels with other data before and after them. */
export function bmpWithMetadata(): Buffer {
  const rows = [Buffer.from('0000ff00ff00', 'hex'), Buffer.from('ff0000ffffff', 'hex')];
  const hidden = Buffer.from(SECRET);
  return encodeBmp({ width: 2, height: 2, bitsPerPixel: 24, rows, gap: hidden, end: hidden });
}

/** Creates an SVG that contains scripts. */
export function svgWithScript(): Buffer {
  return Buffer.from(
    `<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30px" onload="alert(1)"><script>alert(1)</script><rect width="9" height="9"/></svg>`,
  );
}

/** Creates a silent WAV that contains metadata. */
export function wavWithMetadata(samples = 800): Buffer {
  const format = Buffer.from('01000100401f0000401f000001000800', 'hex');
  return riff(
    'WAVE',
    riffChunk('bext', Buffer.from(SECRET)),
    riffChunk('fmt ', format),
    riffChunk('data', Buffer.alloc(samples, 0x80)),
    riffChunk('LIST', Buffer.from(`INFOIART${SECRET}`)),
  );
}

function id3(content: Buffer): Buffer {
  const { length } = content;
  const size = [length >>> 21, (length >>> 14) & 0x7f, (length >>> 7) & 0x7f, length & 0x7f];
  return Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), Buffer.from(size), content]);
}

/** Creates silent frames of MPEG 1 layer III with tags: 128 kbit/s, 44.1 kHz. */
export function mp3WithTags(frames = 20): Buffer {
  const frame = Buffer.alloc(417);
  frame.writeUInt32BE(0xfffb9064);
  const last = Buffer.alloc(128);
  last.write(`TAG${SECRET.slice(0, 28)}`, 'latin1');
  return Buffer.concat([
    id3(Buffer.from(`TPE1${SECRET}${'\0'.repeat(300)}`)),
    ...Array.from({ length: frames }, () => frame),
    last,
  ]);
}

/** Creates AAC frames of 32 bytes each with a leading tag. */
export function aacWithTag(frames = 20): Buffer {
  const frame = Buffer.alloc(32);
  Buffer.from('fff15080041ffc', 'hex').copy(frame);
  return Buffer.concat([
    id3(Buffer.from(`PRIV${SECRET}`)),
    ...Array.from({ length: frames }, () => frame),
  ]);
}

/** Creates an MP4 recording with a location, like those of phones. */
export function mp4WithLocation(): Buffer {
  const plain = sample('voice.mp4');
  const moovAt = plain.indexOf('moov', 0, 'latin1') - 4;
  const moovEnd = moovAt + plain.readUInt32BE(moovAt);
  const userData = Buffer.concat([
    Buffer.alloc(4),
    Buffer.from(`udta....\xa9xyz${SECRET}`, 'latin1'),
  ]);
  userData.writeUInt32BE(userData.length);
  const whole = Buffer.concat([plain.subarray(0, moovEnd), userData, plain.subarray(moovEnd)]);
  whole.writeUInt32BE(moovEnd - moovAt + userData.length, moovAt);
  return whole;
}

/** Creates a live WebM recording of unknown length with tags at its end. */
export function webmWithTags(): Buffer {
  const plain = sample('voice.webm');
  const segment = plain.indexOf(Buffer.from('18538067', 'hex'));
  plain.fill(0xff, segment + 5, segment + 12);
  const content = Buffer.from(SECRET);
  const tags = Buffer.concat([
    Buffer.from('1254c367', 'hex'),
    Buffer.from([0x80 | content.length]),
    content,
  ]);
  return Buffer.concat([plain, tags]);
}
