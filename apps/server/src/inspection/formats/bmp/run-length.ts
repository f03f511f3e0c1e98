import { MalformedFileError } from '../byte-source.ts';

/** The size of an image and the number of bits of its pixels. */
interface Runs {
  readonly width: number;
  readonly height: number;
  readonly bitsPerPixel: number;
}

/**
 * Decodes run-length encoded pixels to one byte each, from top to bottom. Skipped pixels have the
 * first color.
 * @throws {MalformedFileError} if they end early or exceed the image.
 */
export function decodeRuns(data: Buffer, { width, height, bitsPerPixel }: Runs): Buffer {
  const pixels = Buffer.alloc(width * height);
  const isPacked = bitsPerPixel === 4;
  let at = 0;
  let x = 0;
  // Rows are stored from bottom to top.
  let y = height - 1;

  const nextByte = () => {
    const byte = data[at];
    if (byte === undefined) throw new MalformedFileError('unexpected end');
    at += 1;
    return byte;
  };

  for (;;) {
    const count = nextByte();
    const value = nextByte();
    if (count > 0) {
      // Some programs write runs that exceed their row. Browsers cut them off.
      const end = Math.min(x + count, width);
      const [even, odd] = isPacked ? [value >> 4, value & 15] : [value, value];
      for (let i = x; i < end; i += 1) pixels[y * width + i] = (i - x) % 2 === 0 ? even : odd;
      x = end;
    } else if (value === 0) {
      x = 0;
      y -= 1;
      if (y < 0) return pixels;
    } else if (value === 1) {
      return pixels;
    } else if (value === 2) {
      x += nextByte();
      y -= nextByte();
      if (x > width || y < 0) throw new MalformedFileError('pixels outside of the image');
    } else {
      // Pixels without compression, padded to 16 bits.
      if (x + value > width) throw new MalformedFileError('pixels outside of the image');
      const length = isPacked ? Math.ceil(value / 2) : value;
      const bytes = data.subarray(at, at + length);
      if (bytes.length < length) throw new MalformedFileError('unexpected end');
      for (let i = 0; i < value; i += 1) {
        const byte = bytes[isPacked ? i >> 1 : i] ?? 0;
        const unpacked = i % 2 === 0 ? byte >> 4 : byte & 15;
        pixels[y * width + x + i] = isPacked ? unpacked : byte;
      }
      at += length + (length % 2);
      x += value;
    }
  }
}
