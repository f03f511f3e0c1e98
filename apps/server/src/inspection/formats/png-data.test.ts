import { constants, crc32, deflateSync, inflateSync } from 'node:zlib';
import { encodePng, pngChunk } from '@parley/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pngOfSize } from '../../../test/expensive-images.ts';
import { inspectBytes } from '../../../test/inspecting.ts';
import * as samples from '../../../test/samples.ts';
import { TooComplexMediaError } from './byte-source.ts';

describe('the compressed rows of a PNG', () => {
  const rowLength = 1 + 10 * 3;
  const rows = Buffer.from(
    Array.from({ length: 10 * rowLength }, (_, i) => (i % 31 ? i % 256 : 0)),
  );
  const stream = deflateSync(rows);
  const tail = Buffer.from(`the rest of a larger picture ${samples.SECRET}`);
  const build = (...data: Buffer[]) => {
    const image = encodePng(10, 10, 'rgb', rows);
    const chunks = data.map((each) => pngChunk('IDAT', each));
    return Buffer.concat([image.subarray(0, 33), ...chunks, pngChunk('IEND', Buffer.alloc(0))]);
  };
  const interlaced = (data: Buffer) => {
    const image = build(data);
    image.writeUInt8(1, 28);
    image.writeUInt32BE(crc32(image.subarray(12, 29)), 29);
    return image;
  };
  /** The lengths of the rows of the seven passes of 10 by 10 pixels. */
  const passes = [7, 7, 4, 4, 10, 7, 7, 7, 16, 16, 16, 16, 16, 16, 16, 31, 31, 31, 31, 31];
  const interlacedRows = Buffer.concat(passes.map((length, i) => Buffer.alloc(length, i % 5)));

  /** Inspects a PNG and returns the stored file and what its compressed data contains. */
  async function inspectRows(file: Buffer, type: 'IDAT' | 'fdAT' = 'IDAT') {
    const bytes = (await inspectBytes(file))?.bytes ?? Buffer.alloc(0);
    // The result is not changed any more.
    expect((await inspectBytes(bytes))?.bytes).toEqual(bytes);
    const data: Buffer[] = [];
    for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
      const content = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
      if (bytes.toString('latin1', at + 4, at + 8) === type) {
        data.push(content.subarray(type === 'fdAT' ? 4 : 0));
      }
    }
    const options = { finishFlush: constants.Z_SYNC_FLUSH };
    const all = Buffer.concat(data);
    return { bytes, data: all, rows: all.length === 0 ? all : inflateSync(all, options) };
  }

  test('are kept without what follows their end, in the same chunk or in another one', async () => {
    const clean = (await inspectBytes(build(stream)))?.bytes;
    expect(clean?.includes(stream)).toBe(true);
    for (const hidden of [
      build(Buffer.concat([stream, tail])),
      build(stream, tail),
      build(stream, tail, tail),
    ]) {
      expect((await inspectBytes(hidden))?.bytes).toEqual(clean);
    }
    const parts = [stream.subarray(0, 9), Buffer.concat([stream.subarray(9), tail]), tail];
    const found = await inspectBytes(build(...parts));
    expect(found?.bytes).toEqual(build(stream.subarray(0, 9), stream.subarray(9)));
  });

  test('are kept without what follows a wrong checksum', async () => {
    const wrong = Buffer.concat([stream.subarray(0, -4), Buffer.from('oops')]);
    expect((await inspectBytes(build(wrong)))?.bytes).toEqual(build(wrong));
    expect((await inspectBytes(build(Buffer.concat([wrong, tail]))))?.bytes).toEqual(build(wrong));
    expect((await inspectBytes(build(wrong, tail)))?.bytes).toEqual(build(wrong));
  });

  test('are kept as they are if they have no end, as browsers show what there is', async () => {
    for (const data of [stream.subarray(0, -6), stream.subarray(0, -2), stream.subarray(0, 40)]) {
      expect((await inspectBytes(build(data)))?.bytes).toEqual(build(data));
    }
  });

  test.each([
    ['in a stream with an end', (data: Buffer) => data],
    ['in a stream without an end', (data: Buffer) => data.subarray(0, -6)],
    [
      'before an error',
      (data: Buffer) => Buffer.concat([data.subarray(0, -6), Buffer.alloc(9, 7)]),
    ],
    ['before a wrong checksum', (data: Buffer) => Buffer.concat([data.subarray(0, -4), tail])],
  ])('are kept without more rows than the image has, %s', async (_, change) => {
    const text = Buffer.from(`\0${samples.SECRET.repeat(3)}`);
    for (const surplus of [text, Buffer.alloc(3_000_000, text)]) {
      const data = change(deflateSync(Buffer.concat([rows, surplus]), { level: 0 }));
      const found = await inspectRows(build(data));
      expect(found.rows).toEqual(rows);
      // Decompresses with a check of the checksum.
      expect(inflateSync(found.data)).toEqual(rows);
      expect(found.bytes.includes(samples.SECRET)).toBe(false);
      const split = await inspectRows(
        build(data.subarray(0, 1), data.subarray(1, 80), data.subarray(80)),
      );
      expect(split.bytes).toEqual(found.bytes);
    }
  });

  test('of an interlaced image are kept without more', async () => {
    expect((await inspectRows(interlaced(deflateSync(interlacedRows)))).rows).toEqual(
      interlacedRows,
    );
    const more = deflateSync(Buffer.concat([interlacedRows, tail]));
    expect((await inspectRows(interlaced(more))).rows).toEqual(interlacedRows);
    const damaged = Buffer.from(interlacedRows);
    // The first row of the third pass.
    damaged[7 + 7 + 4 + 4] = 9;
    const shown = interlacedRows.subarray(0, 7 + 7 + 4 + 4);
    expect((await inspectRows(interlaced(deflateSync(damaged)))).rows).toEqual(shown);
  });

  test('are kept without what follows an error, up to the last bytes before it', async () => {
    const noise = fc.sample(fc.uint8Array({ minLength: 30, maxLength: 30 }), {
      numRuns: 2_000,
      seed: 1,
    });
    const many = Buffer.concat(noise.map((pixels) => Buffer.from([0, ...pixels])));
    const valid = deflateSync(many, { finishFlush: constants.Z_SYNC_FLUSH });
    const file = (data: Buffer) => {
      const image = encodePng(10, 2_500, 'rgb', many);
      const end = pngChunk('IEND', Buffer.alloc(0));
      return Buffer.concat([image.subarray(0, 33), pngChunk('IDAT', data), end]);
    };
    // No block has the type 3.
    const found = await inspectRows(file(Buffer.concat([valid, Buffer.from([7]), tail])));
    expect(found.bytes.includes(samples.SECRET)).toBe(false);
    expect(found.rows.equals(many.subarray(0, found.rows.length))).toBe(true);
    expect(many.length - found.rows.length).toBeLessThan(64);
  });

  test('are kept without what follows a row with an invalid filter, at which browsers stop', async () => {
    const damaged = Buffer.from(rows);
    damaged[7 * rowLength] = 5;
    damaged.write(samples.SECRET, 7 * rowLength + 1);
    const found = await inspectRows(build(deflateSync(damaged, { level: 0 })));
    expect(found.rows).toEqual(rows.subarray(0, 7 * rowLength));
    expect(found.bytes.includes(samples.SECRET)).toBe(false);
  });

  test('are kept up to the first chunk with a wrong checksum, at which browsers stop', async () => {
    const parts = [stream.subarray(0, 9), stream.subarray(9, 20), stream.subarray(20), tail];
    const damage = (file: Buffer, type: string, i: number) => {
      const damaged = Buffer.from(file);
      let at = 0;
      for (let n = 0; n <= i; n += 1) at = file.indexOf(type, at + 1, 'latin1');
      damaged.write('hide', at + 4 + file.readUInt32BE(at - 4));
      return damaged;
    };
    for (const i of [0, 1, 2]) {
      const found = await inspectRows(damage(build(...parts), 'IDAT', i));
      expect(found.bytes).toEqual(build(...parts.slice(0, i + 1)));
    }
    const surplus = deflateSync(Buffer.concat([rows, tail]), { level: 0 });
    const found = await inspectRows(damage(build(surplus, tail), 'IDAT', 0));
    expect(found.rows).toEqual(rows);

    const animation = pngOfSize(10, 10, { animation: { frames: 3, delay: 100 } });
    expect((await inspectBytes(damage(animation, 'fdAT', 1)))?.bytes).toEqual(animation);
  });

  test.each([
    ['is missing', Buffer.alloc(0)],
    ['is incomplete', Buffer.from([0x78])],
    ['has another method', Buffer.from([0x77, 0x85])],
    ['has too large a window', Buffer.from([0x88, 0x1c])],
    ['needs a dictionary', Buffer.from([0x78, 0xbb])],
    ['has a wrong checksum', Buffer.from([0x78, 0x9d])],
  ])('are not kept if their header %s', async (_, header) => {
    const data = header.length < 2 ? header : Buffer.concat([header, stream.subarray(2), tail]);
    const found = await inspectRows(build(data));
    expect(found.bytes).toEqual(build(Buffer.alloc(0)));
  });

  test('of a frame keep the number of each chunk', async () => {
    const image = pngOfSize(10, 10, { animation: { frames: 3, delay: 100 } });
    const at = image.lastIndexOf('fdAT') - 4;
    const length = image.readUInt32BE(at);
    const content = image.subarray(at + 8, at + 8 + length);
    const replace = (...chunks: Buffer[]) =>
      Buffer.concat([
        image.subarray(0, at),
        ...chunks.map((chunk) => pngChunk('fdAT', chunk)),
        image.subarray(at + 12 + length),
      ]);
    expect((await inspectBytes(image))?.bytes).toEqual(image);
    const longer = replace(Buffer.concat([content, tail]));
    expect((await inspectBytes(longer))?.bytes).toEqual(image);

    const next = Buffer.from([0, 0, 0, 5]);
    const surplus = deflateSync(Buffer.concat([Buffer.alloc(2), tail]), { level: 0 });
    const parts = [surplus.subarray(0, 5), surplus.subarray(5)];
    const number = content.subarray(0, 4);
    const split = replace(
      ...parts.map((part, i) => Buffer.concat([i === 0 ? number : next, part])),
    );
    const found = await inspectRows(split, 'fdAT');
    expect(found.bytes.includes(samples.SECRET)).toBe(false);
    const stored = found.bytes.subarray(at, -12);
    const first = stored.subarray(8, 8 + stored.readUInt32BE(0));
    expect(first.subarray(0, 4)).toEqual(number);
    expect(inflateSync(first.subarray(4))).toEqual(Buffer.alloc(2));
    expect(stored.subarray(12 + first.length)).toEqual(pngChunk('fdAT', next));
  });

  test.each([
    ['more than the stated number', 2],
    ['without a stated number', 0],
  ])('of frames are not kept if there are %s, as browsers ignore them', async (_, stated) => {
    const image = pngOfSize(10, 10, { animation: { frames: 4, delay: 100 } });
    const count = Buffer.alloc(8);
    count.writeUInt32BE(stated);
    const at = image.indexOf('acTL') - 4;
    const control = pngChunk('acTL', count);
    const file = Buffer.concat([image.subarray(0, at), control, image.subarray(at + 20)]);
    const found = (await inspectBytes(file))?.bytes ?? Buffer.alloc(0);
    const framesOf = (bytes: Buffer) => bytes.toString('latin1').match(/fcTL/g)?.length ?? 0;
    expect([framesOf(file), framesOf(found)]).toEqual([4, stated]);
    expect(found.toString('latin1').match(/fdAT/g)?.length ?? 0).toBe(Math.max(0, stated - 1));
    expect((await inspectBytes(found))?.bytes).toEqual(found);
  });

  describe('of frames that browsers do not show', () => {
    const control = (frames: number) =>
      pngChunk('acTL', Buffer.from([0, 0, 0, frames, 0, 0, 0, 0]));
    const frame = (number: number) => {
      const content = Buffer.alloc(26);
      content.set([0, 0, 0, number, 0, 0, 0, 10, 0, 0, 0, 10]);
      return pngChunk('fcTL', content);
    };
    const hidden = (number: number) =>
      pngChunk('fdAT', Buffer.concat([Buffer.from([0, 0, 0, number]), deflateSync(rows)]));
    const damaged = (chunk: Buffer) => Buffer.concat([chunk.subarray(0, -1), Buffer.alloc(1)]);
    const image = build(stream);
    const [start, data, end] = [
      image.subarray(0, 33),
      image.subarray(33, -12),
      image.subarray(-12),
    ];

    test.each<[string, Buffer[], Buffer[]]>([
      ['no frames are announced', [], [frame(0), hidden(1)]],
      ['no frames are stated', [control(0)], [frame(0), hidden(1)]],
      ['the number is cut off', [pngChunk('acTL', Buffer.alloc(7, 1))], [frame(0), hidden(1)]],
      ['the number follows the image', [], [control(2), frame(0), hidden(1)]],
      ['there is only data', [control(2)], [hidden(0)]],
      ['there is only the frame of the image', [control(2), frame(0)], [hidden(1)]],
      ['it has another number', [control(2), frame(0)], [frame(2), hidden(3)]],
      ['its data has another number', [control(2), frame(0)], [frame(1), hidden(3)]],
      ['its checksum is wrong', [control(2), frame(0)], [damaged(frame(1)), hidden(2)]],
      ['the image has two', [control(3), frame(0), frame(1)], [frame(2), hidden(3)]],
    ])('is not kept if %s', async (_, before, after) => {
      const file = Buffer.concat([start, ...before, data, ...after, end]);
      const { bytes, rows: found } = await inspectRows(file);
      expect(found).toEqual(rows);
      expect(bytes.includes('fdAT')).toBe(false);
    });

    test('is kept if only the checksum of its data is wrong, which gets a right one', async () => {
      const animation = pngOfSize(10, 10, { animation: { frames: 4, delay: 100 } });
      const wrong = Buffer.from(animation);
      for (let at = 0; (at = wrong.indexOf('fdAT', at + 1)) !== -1;) {
        wrong.write('hide', at + 4 + wrong.readUInt32BE(at - 4));
      }
      expect((await inspectBytes(wrong))?.bytes).toEqual(animation);
    });
  });

  test('are read from chunks of a byte as fast as from others', async () => {
    const large = deflateSync(Buffer.alloc(1_000 * 1_001), { level: 0 });
    const image = encodePng(1_000, 1_000, 'gray', Buffer.alloc(0));
    const chunks = Array.from({ length: 60_000 }, (_, i) => large.subarray(i, i + 1));
    const file = Buffer.concat([
      image.subarray(0, 33),
      ...[...chunks, large.subarray(chunks.length)].map((each) => pngChunk('IDAT', each)),
      pngChunk('IEND', Buffer.alloc(0)),
    ]);
    expect((await inspectBytes(file))?.bytes).toEqual(file);
  });

  test('of all frames together are limited', async () => {
    const side = 2_000;
    const data = deflateSync(Buffer.alloc(side * (1 + side * 8)));
    const animation = (frames: number) =>
      pngOfSize(side, side, {
        bits: 16,
        isColored: true,
        animation: { frames, delay: 100, data },
      });
    expect(await inspectBytes(animation(31))).toBeDefined();
    await expect(inspectBytes(animation(34))).rejects.toThrow(TooComplexMediaError);
  });

  test('are rejected if they are larger than an image may be when compressed again', async () => {
    const row = Buffer.from(Array.from({ length: 3_000 }, (_, i) => (i * i * 7) % 251));
    const width = row.length;
    const tiled = Buffer.concat(
      Array.from({ length: 5_000 }, () => Buffer.concat([Buffer.alloc(1), row])),
    );
    const file = (data: Buffer) => encodePng(width, 5_000, 'gray', data);
    expect((await inspectBytes(file(tiled)))?.bytes).toEqual(file(tiled));
    const surplus = file(Buffer.concat([tiled, tail]));
    await expect(inspectBytes(surplus)).rejects.toThrow(TooComplexMediaError);
  });
});
