import { deflateSync } from 'node:zlib';
import { markedPicture, pngChunk } from '@parley/testing';
import { isLongRun } from '@parley/testing/scope';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bmpOfSize,
  gifOfFrames,
  jpegOfScans,
  pngOfSize,
  webpOfFrames,
  webpOfSize,
} from '../../test/expensive-images.ts';
import { inspectBytes } from '../../test/inspecting.ts';
import { measureCpu } from '../../test/measure-cpu.ts';
import * as samples from '../../test/samples.ts';
import { TooComplexMediaError } from './formats/byte-source.ts';
import { readOrientation } from './formats/exif.ts';
import { TooLongRecording } from './formats/duration.ts';

const orientationOf = (tiff: Buffer = Buffer.alloc(0)) => readOrientation(tiff);

const ACCEPTED: [string, Buffer, string, [number, number]?][] = [
  ['a plain JPEG', samples.sample('picture.jpg'), 'jpg', [24, 12]],
  ['a JPEG', samples.jpegWithMetadata(), 'jpg', [24, 12]],
  ['a rotated JPEG', samples.jpegWithMetadata(6), 'jpg', [12, 24]],
  ['a plain PNG', samples.sample('picture.png'), 'png', [24, 12]],
  ['a PNG', samples.pngWithMetadata(), 'png', [24, 12]],
  ['a rotated PNG', samples.pngWithMetadata(8), 'png', [12, 24]],
  ['a plain WebP', samples.sample('picture.webp'), 'webp', [24, 12]],
  ['a WebP', samples.webpWithMetadata(), 'webp', [24, 12]],
  ['a rotated WebP, which browsers do not rotate', samples.webpWithMetadata(5), 'webp', [24, 12]],
  ['a GIF', samples.gifWithMetadata(), 'gif', [2, 1]],
  ['a BMP', samples.bmpWithMetadata(), 'png', [2, 2]],
  ['a WebM', samples.sample('voice.webm'), 'webm'],
  ['a tagged WebM', samples.webmWithTags(), 'webm'],
  ['an MP4', samples.sample('voice.mp4'), 'mp4'],
  ['an MP4 of WebKitGTK with a duplicate header', samples.sample('voice-webkitgtk.mp4'), 'mp4'],
  ['an MP4 with a location', samples.mp4WithLocation(), 'mp4'],
  ['an MP3', samples.mp3WithTags(), 'mp3'],
  ['an AAC', samples.aacWithTag(), 'aac'],
  ['a WAV', samples.wavWithMetadata(), 'wav'],
];

describe('inspecting an accepted file', () => {
  test.each(ACCEPTED)('accepts %s and removes its metadata', async (_, bytes, extension, size) => {
    const found = await inspectBytes(bytes);
    expect(found?.type.extension).toBe(extension);
    expect([found?.width, found?.height]).toEqual(size ?? [undefined, undefined]);
    expect(found?.bytes.includes(samples.SECRET)).toBe(false);
    expect(found?.bytes.includes('Exif\0\0II')).toBe(false);
  });

  test.each(ACCEPTED)('returns %s unchanged when it is inspected again', async (_, bytes) => {
    const once = await inspectBytes(bytes);
    const twice = await inspectBytes(once?.bytes ?? Buffer.alloc(0));
    expect(twice?.bytes).toEqual(once?.bytes);
    expect([twice?.width, twice?.height]).toEqual([once?.width, once?.height]);
  });

  test('keeps the image data byte for byte', async () => {
    const jpeg = samples.sample('picture.jpg');
    // The image data begins after the color profile, which names its maker.
    const data = jpeg.subarray(jpeg.indexOf(Buffer.from('ffdb', 'hex')));
    for (const given of [jpeg, samples.jpegWithMetadata()]) {
      const bytes = (await inspectBytes(given))?.bytes;
      expect(bytes?.subarray(-data.length)).toEqual(data);
      expect(bytes?.length).toBeLessThan(jpeg.length);
    }
    const png = samples.sample('picture.png');
    for (const given of [png, samples.pngWithMetadata()]) {
      expect((await inspectBytes(given))?.bytes).toEqual(png);
    }
  });

  test('keeps only the orientation of the camera metadata', async () => {
    const jpeg = (await inspectBytes(samples.jpegWithMetadata(6)))?.bytes;
    expect(orientationOf(jpeg?.subarray(jpeg.indexOf('Exif') + 6))).toBe(6);
    const png = (await inspectBytes(samples.pngWithMetadata(8)))?.bytes;
    expect(orientationOf(png?.subarray(png.indexOf('eXIf') + 4))).toBe(8);
    expect(png?.indexOf('eXIf')).toBeLessThan(png?.indexOf('IDAT') ?? 0);
    const webp = (await inspectBytes(samples.webpWithMetadata(3)))?.bytes;
    expect(orientationOf(webp?.subarray(webp.indexOf('EXIF') + 8))).toBe(3);
  });

  test('removes tables of a JPEG after its last scan', async () => {
    const jpeg = samples.sample('picture.jpg');
    const table = Buffer.concat([
      Buffer.from('ffdb004300', 'hex'),
      Buffer.alloc(64, samples.SECRET),
    ]);
    const hidden = Buffer.concat([jpeg.subarray(0, -2), table, table, jpeg.subarray(-2)]);
    expect((await inspectBytes(hidden))?.bytes).toEqual((await inspectBytes(jpeg))?.bytes);
  });

  describe('of a WebP', () => {
    const plain = samples.sample('picture.webp');
    const lossy = plain.subarray(plain.indexOf('VP8 ', 12, 'latin1'));
    const lossless = samples.riffChunk('VP8L', Buffer.from('2f17c00200', 'hex'));
    const header = samples.riffChunk(
      'VP8X',
      Buffer.from('10000000170000 0b0000'.replace(' ', ''), 'hex'),
    );
    const alpha = (...content: Buffer[]) => samples.riffChunk('ALPH', Buffer.concat(content));
    const build = (...chunks: Buffer[]) => samples.riff('WEBP', ...chunks);
    const hidden = Buffer.from(samples.SECRET);
    const raw = Buffer.concat([Buffer.from([0]), Buffer.alloc(24 * 12, 200)]);
    const inspected = async (file: Buffer) => (await inspectBytes(file))?.bytes;

    test('keeps an alpha channel without what follows it', async () => {
      const file = build(header, alpha(raw), lossy);
      expect(await inspected(file)).toEqual(file);
      expect(await inspected(build(header, alpha(raw, hidden), lossy))).toEqual(file);
    });

    test('removes an alpha channel that is not used', async () => {
      expect(await inspected(build(header, alpha(hidden), lossless))).toEqual(
        build(header, lossless),
      );
      expect(await inspected(build(alpha(hidden), lossy))).toEqual(build(lossy));
    });
  });

  test('keeps the animation of a GIF', async () => {
    const bytes = (await inspectBytes(samples.gifWithMetadata()))?.bytes;
    expect(bytes?.includes('NETSCAPE2.0')).toBe(true);
    expect(bytes?.at(-1)).toBe(0x3b);
  });

  test('keeps the audio data byte for byte', async () => {
    const webm = samples.sample('voice.webm');
    const cuesAt = webm.lastIndexOf(Buffer.from('1c53bb6b', 'hex'));
    const blocks = webm.subarray(webm.indexOf(Buffer.from('a3bf810000', 'hex')), cuesAt);
    expect((await inspectBytes(webm))?.bytes.includes(blocks)).toBe(true);
    const mp4 = samples.sample('voice.mp4');
    const packets = mp4.subarray(mp4.indexOf('mdat') + 4);
    expect((await inspectBytes(mp4))?.bytes.includes(packets)).toBe(true);
  });

  test('keeps an interrupted recording up to where it ends', async () => {
    const webm = samples.sample('voice.webm');
    expect((await inspectBytes(webm.subarray(0, webm.length - 100)))?.type.extension).toBe('webm');
    const wav = samples.wavWithMetadata();
    wav.writeUInt32LE(0xffffffff, 4);
    expect((await inspectBytes(wav))?.type.extension).toBe('wav');
  });
});

const empty = samples.sample('picture.png');
empty.writeUInt32BE(0, 16);

describe('inspecting a file that is not accepted', () => {
  test.each([
    ['an empty file', Buffer.alloc(0)],
    ['a text file', Buffer.from('Hello, how are you today? I am fine.')],
    ['HTML', Buffer.from('<!doctype html><html><body><script>alert(1)</script></body></html>')],
    [
      'HTML with an SVG in it',
      Buffer.from('<html><svg xmlns="http://www.w3.org/2000/svg"/></html>'),
    ],
    ['an SVG without its namespace', Buffer.from('<svg width="1" height="1"></svg>')],
    ['XML other than SVG', Buffer.from('<?xml version="1.0"?><note><to>you</to></note>')],
    ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj <<>> endobj')],
    ['a ZIP archive', Buffer.from('504b0304140000000800000000000000000000000000', 'hex')],
    ['an executable', Buffer.from('7f454c4602010100000000000000000002003e00', 'hex')],
    ['a WebM video', samples.sample('film.webm')],
    ['an MP4 video', samples.sample('film.mp4')],
    [
      'a Matroska file',
      Buffer.from(
        samples.sample('voice.webm').toString('latin1').replace('webm', 'mkv0'),
        'latin1',
      ),
    ],
    ['a HEIC image', Buffer.from('000000186674797068656963000000006d69663168656963', 'hex')],
    ['a TIFF image', samples.exifWithLocation(1)],
    ['only the beginning of a JPEG', samples.sample('picture.jpg').subarray(0, 200)],
    ['only the beginning of a PNG', samples.sample('picture.png').subarray(0, 60)],
    ['only the beginning of a GIF', samples.gifWithMetadata().subarray(0, 30)],
    ['only the beginning of an MP3', Buffer.from('ID3\x04\0\0\0\0\0\x04abcdefghijkl', 'latin1')],
    ['an image without a width', empty],
    ['only the beginning of a BMP', samples.bmpWithMetadata().subarray(0, 60)],
    ['text that begins like a BMP', Buffer.from('BMP files are large. '.repeat(9))],
  ])('rejects %s', async (_, bytes) => {
    expect(await inspectBytes(bytes)).toBeUndefined();
  });

  test('stops reading a GIF with too many tiny blocks', async () => {
    const start = samples.gifWithMetadata().subarray(0, 13);
    const image = Buffer.from('2c0000000002000100 0002'.replace(' ', ''), 'hex');
    const pieces = Buffer.alloc(4 * 1024 * 1024, Buffer.from([1, 0x55]));
    expect(await inspectBytes(Buffer.concat([start, image, pieces]))).toBeUndefined();
  });

  test('rejects a GIF that would result in too many pieces', async () => {
    const start = Buffer.from('47494638396101000100000000', 'hex');
    const kept = '21f900';
    const leftOut = '21fe00';
    const pieces = Buffer.alloc(150_000, Buffer.from(kept + leftOut, 'hex'));
    const image = Buffer.from('2c0000000001000100000202440100', 'hex');
    expect(await inspectBytes(Buffer.concat([start, image]))).toBeDefined();
    expect(await inspectBytes(Buffer.concat([start, pieces, image]))).toBeUndefined();
  });

  const documentType = Buffer.concat([Buffer.alloc(65_000), Buffer.from('x')]);
  const webm = Buffer.concat([Buffer.from('1a45dfa31000fdef42821000fde9', 'hex'), documentType]);

  test('rejects a WebM with an overlong document type', async () => {
    expect(await inspectBytes(webm)).toBeUndefined();
  });

  test.runIf(isLongRun)(
    'rejects an overlong document type in much less time than a search from each byte of its padding',
    async () => {
      const time = await measureCpu(() => inspectBytes(webm));
      const text = documentType.toString('latin1');
      expect(time).toBeLessThan((await measureCpu(() => /\0+$/.test(text))) / 3);
    },
  );

  test('rejects an SVG with an overlong attribute name', async () => {
    const bytes = Buffer.from(`<svg ${'a'.repeat(60_000)} xmlns="http://www.w3.org/2000/svg"/>`);
    expect(await inspectBytes(bytes)).toBeUndefined();
  });
});

const MEGABYTE = 1024 * 1024;

/** Returns a blank PNG in gray with its rows, which compress well, or only the first of them. */
const scanOf = (width: number, height: number, bits: 1 | 8 = 1, rows = height) =>
  pngOfSize(width, height, {
    bits,
    data: deflateSync(Buffer.alloc(rows * (1 + Math.ceil((width * bits) / 8)))),
  });

const bomb = Buffer.concat([Buffer.from('icc\0\0'), deflateSync(Buffer.alloc(50 * MEGABYTE))]);

describe('inspecting an image that is cheap to display', () => {
  test.each([
    ['a phone photo of 50 megapixels', jpegOfScans(8160, 6120, 1, MEGABYTE, 'baseline')],
    ['a progressive JPEG', jpegOfScans(6000, 4000, 12, MEGABYTE)],
    [
      'a long screenshot',
      pngOfSize(1080, 30_000, { data: deflateSync(Buffer.alloc(30_000 * 136), { level: 0 }) }),
    ],
    ['an animation of 300 frames', gifOfFrames(480, 360, 300, 40)],
    ['a scanned page as a BMP', bmpOfSize(2_480, 3_508, 'bits')],
    ['a page scanned with 600 dpi, in a few KB', scanOf(4_960, 7_016)],
    ['a long page scanned with 600 dpi', scanOf(5_100, 8_400)],
    ['a page scanned with 600 dpi as a BMP', bmpOfSize(4_960, 7_016, 'bits')],
    ['a board of 24 megapixels in a few KB', scanOf(6_000, 4_000, 8)],
    ['a board of 40 megapixels in a few KB', scanOf(8_000, 5_000, 8)],
    ['a board of 40 megapixels as a JPEG of 100 KB', jpegOfScans(8_000, 5_000, 1, 100_000)],
    ['a board of 40 megapixels as a WebP', webpOfSize(8_000, 5_000)],
    ['a screen recording of ten minutes', gifOfFrames(1_920, 1_080, 4_000, 150)],
    ['a screen recording of 2880 × 1800 pixels', gifOfFrames(2_880, 1_800, 600, 100)],
    [
      'a screen recording of 3840 × 2160 pixels, 30 times a second',
      webpOfFrames(3_840, 2_160, 200, 33),
    ],
    ['a screen recording of 1.5 billion pixels', gifOfFrames(1_000, 1_000, 1_500, 100)],
    ['a 1080p animation', webpOfFrames(1920, 1080, 200, 17)],
    ['an animated PNG', pngOfSize(500, 500, { animation: { frames: 100, delay: 20 } })],
    ['a still image larger than the limit for animations', gifOfFrames(5_000, 3_000, 1, 0)],
    [
      'a PNG whose color profile inflates to 50 MB',
      pngOfSize(9, 9, { chunks: [pngChunk('iCCP', bomb)] }),
    ],
  ])('accepts %s', async (_, bytes) => {
    expect(await inspectBytes(bytes)).toBeDefined();
  });
});

describe('inspecting an image that is too expensive to display', () => {
  const deep = { bits: 16, isInterlaced: true } as const;
  test.each([
    ['a PNG of 3,600 megapixels', pngOfSize(60_000, 60_000)],
    ['a PNG of 65,535 pixels in one row', pngOfSize(65_535, 1)],
    ['a PNG of 49 megapixels in a hundred bytes', pngOfSize(7_000, 7_000)],
    [
      'an interlaced PNG of deep colors',
      pngOfSize(6_500, 6_500, {
        ...deep,
        chunks: [Buffer.alloc(0), pngChunk('IDAT', Buffer.alloc(MEGABYTE))],
      }),
    ],
    [
      'an animated PNG with too short a delay',
      pngOfSize(2_000, 2_000, { animation: { frames: 100, delay: 11 } }),
    ],
    ['a JPEG of a thousand scans', jpegOfScans(16, 16, 1_000)],
    ['a JPEG of 40 scans over 40 megapixels', jpegOfScans(8_000, 5_000, 40, MEGABYTE)],
    ['a progressive JPEG of 48 megapixels', jpegOfScans(8_000, 6_000, 1, MEGABYTE)],
    ['a JPEG of 65,535 pixels in one column', jpegOfScans(1, 65_535, 1)],
    ['a GIF of tiny frames on a huge canvas', gifOfFrames(10_000, 1_000, 50, 50)],
    ['a GIF of too many frames', gifOfFrames(10, 10, 4_500, 100)],
    ['a GIF with too many frames for its size', gifOfFrames(3_000, 3_000, 1_500, 100)],
    ['a GIF that is a little too long', gifOfFrames(2_200, 1_000, 3_900, 100)],
    ['a PNG of 42 megapixels without its rows', pngOfSize(7_000, 6_000)],
    ['a PNG of 42 megapixels with half of its rows', scanOf(7_000, 6_000, 1, 3_000)],
    ['a JPEG of 42 megapixels in two thousand bytes', jpegOfScans(7_000, 6_000, 1, 2_000)],
    ['a GIF of 42 megapixels with a frame of one pixel', gifOfFrames(7_000, 6_000, 1, 0)],
    ['a WebP of 49 megapixels', webpOfSize(7_000, 7_000)],
    ['a PNG of 49 megapixels with all of its rows', scanOf(7_000, 7_000)],
    ['a WebP of tiny frames on a huge canvas', webpOfFrames(16_000, 1_000, 50, 50)],
    ['a WebP of 90 frames a second', webpOfFrames(2_000, 2_000, 50, 11)],
    ['a BMP of 3,600 megapixels', bmpOfSize(60_000, 60_000, 'bits')],
    ['a BMP of 49 megapixels without any content', bmpOfSize(7_000, 7_000, 'bits')],
    ['a BMP of 16.8 megapixels in 8 KB', bmpOfSize(4_200, 4_000, 'runs')],
    ['a BMP that is larger than an image may be as PNG', bmpOfSize(2_280, 2_280, 'noise')],
  ])('rejects %s as too complex', async (_, bytes) => {
    await expect(inspectBytes(bytes)).rejects.toThrow(TooComplexMediaError);
  });
});

test('accepts or rejects corrupt files without other errors', async () => {
  const bmps = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => markedPicture('bmp', seed));
  const whole = [...ACCEPTED.map(([, bytes]) => bytes), ...bmps];
  const damage = fc.record({
    file: fc.constantFrom(...whole),
    cuts: fc.array(fc.record({ at: fc.nat(2_000), byte: fc.integer({ min: 0, max: 255 }) }), {
      maxLength: 6,
    }),
    length: fc.nat(2_000),
  });
  await fc.assert(
    fc.asyncProperty(damage, async ({ file, cuts, length }) => {
      const bytes = Buffer.from(file.subarray(0, Math.max(12, file.length - (length % 50))));
      for (const { at, byte } of cuts) bytes[at % bytes.length] = byte;
      await inspectBytes(bytes).catch((error: unknown) => {
        const isRefusal =
          error instanceof TooComplexMediaError || error instanceof TooLongRecording;
        expect(isRefusal, String(error)).toBe(true);
      });
    }),
    { numRuns: 400 },
  );
});
