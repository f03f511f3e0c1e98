import { describe, expect, test } from 'vitest';
import { inspectBytes } from '../../../test/inspecting.ts';
import * as samples from '../../../test/samples.ts';

/** Packs codes of a GIF, each with its size in bits, into bytes. */
function packCodes(codes: readonly (readonly [code: number, size: number])[]): Buffer {
  const bits = codes.flatMap(([code, size]) =>
    Array.from({ length: size }, (_, i) => (code >> i) & 1),
  );
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [i, bit] of bits.entries()) bytes[i >> 3] = (bytes[i >> 3] ?? 0) | (bit << (i & 7));
  return bytes;
}

/** Compresses pixels. The table of codes is cleared only at the beginning. */
function compressPixels(pixels: readonly number[], colorSize: number): Buffer {
  const [clear, end] = [2 ** colorSize, 2 ** colorSize + 1];
  const codes: [number, number][] = [[clear, colorSize + 1]];
  const table = new Map<string, number>();
  let [size, next, run] = [colorSize + 1, end + 1, ''];
  const codeOf = (text: string) => (text.length === 1 ? text.charCodeAt(0) : table.get(text));
  for (const pixel of pixels) {
    const longer = run + String.fromCharCode(pixel);
    if (codeOf(longer) !== undefined) {
      run = longer;
      continue;
    }
    codes.push([codeOf(run) ?? 0, size]);
    if (next < 4096) {
      table.set(longer, next);
      // The decoder adds the code one step later.
      if (next === 2 ** size) size += 1;
      next += 1;
    }
    run = String.fromCharCode(pixel);
  }
  codes.push([codeOf(run) ?? 0, size], [end, next === 2 ** size && size < 12 ? size + 1 : size]);
  return packCodes(codes);
}

describe('the compressed pixels of a GIF', () => {
  const hidden = Buffer.from(samples.SECRET.repeat(20));
  const side = 100;
  const build = (colorSize: number, data: Buffer, blockSize = 255) => {
    const screen = Buffer.from('47494638396164006400f70000', 'hex');
    const image = Buffer.from('2c0000000064006400 00'.replace(' ', ''), 'hex');
    const blocks = [];
    for (let at = 0; at < data.length; at += blockSize) {
      const block = data.subarray(at, at + blockSize);
      blocks.push(Buffer.from([block.length]), block);
    }
    const frame = Buffer.concat([image, Buffer.from([colorSize]), ...blocks, Buffer.alloc(1)]);
    const colors = Buffer.alloc(768, 9);
    return Buffer.concat([screen, colors, frame, frame, Buffer.from([0x3b])]);
  };
  const inspectedBytes = async (file: Buffer) => {
    const bytes = (await inspectBytes(file))?.bytes;
    expect((await inspectBytes(bytes ?? Buffer.alloc(0)))?.bytes).toEqual(bytes);
    return bytes;
  };
  const pixelsOf = (colorSize: number, noise: number) =>
    Array.from({ length: side * side }, (_, i) =>
      (i * i) % noise === 0 ? 0 : (i * 7919 + ((i * i) >> 5)) % 2 ** colorSize,
    );

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('with %i bits are kept as they are', async (colorSize) => {
    for (const noise of [1, 7, 1_000_003]) {
      const data = compressPixels(pixelsOf(colorSize, noise), colorSize);
      for (const blockSize of [255, 100]) {
        const file = build(colorSize, data, blockSize);
        expect(await inspectedBytes(file)).toEqual(file);
      }
    }
  });

  test.each([1, 2, 5, 8])('with %i bits are kept without what follows', async (colorSize) => {
    const data = compressPixels(pixelsOf(colorSize, 7), colorSize);
    const file = build(colorSize, data);
    expect(await inspectedBytes(build(colorSize, Buffer.concat([data, hidden])))).toEqual(file);
    // The end of the codes is in another block.
    const spread = await inspectedBytes(build(colorSize, Buffer.concat([data, hidden]), 3));
    const blocks = build(colorSize, data, 3);
    expect(spread).toEqual(blocks);
  });

  test('are kept without pixels outside of the frame', async () => {
    const pixels = pixelsOf(8, 1_000_003);
    const literals = (values: readonly number[]) =>
      packCodes(values.flatMap((value) => [[256, 9] as const, [value, 9] as const]));
    const more = Buffer.concat([literals(pixels), hidden, literals(pixels)]);
    const found = (await inspectedBytes(build(8, more))) ?? Buffer.alloc(0);
    expect(found.includes(samples.SECRET)).toBe(false);
    // All pixels and one more code.
    expect(found.length).toBeLessThan(build(8, literals(pixels)).length + 8);
    expect(found.length).toBeGreaterThanOrEqual(build(8, literals(pixels)).length);
  });

  test('are kept without what follows an invalid code', async () => {
    const valid = packCodes([
      [256, 9],
      [1, 9],
      [2, 9],
      [300, 9],
    ]);
    const found = await inspectedBytes(build(8, Buffer.concat([valid, hidden])));
    expect(found).toEqual(build(8, valid));
  });

  test('are not kept if their size is invalid', async () => {
    expect(await inspectedBytes(build(9, hidden))).toEqual(build(9, Buffer.alloc(0)));
  });
});
