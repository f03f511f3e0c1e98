import { inflateSync } from 'node:zlib';

/**
 * Returns the rows of a PNG that the server has written, with the numbers of each pixel: red, green,
 * blue and, if it has one, alpha.
 */
export function decodePng(file: Buffer): number[][][] {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + length);
    chunks.set(type, Buffer.concat([chunks.get(type) ?? Buffer.alloc(0), data]));
    at += 12 + length;
  }
  const header = chunks.get('IHDR') ?? Buffer.alloc(13);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [bitDepth, colorType] = [header.readUInt8(8), header.readUInt8(9)];
  const channels = colorType === 3 ? 1 : colorType === 2 ? 3 : 4;
  const lineLength = 1 + Math.ceil((width * channels * bitDepth) / 8);
  const lines = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  if (lines.length !== lineLength * height) throw new Error('the image data has another length');
  const palette = chunks.get('PLTE') ?? Buffer.alloc(0);
  return Array.from({ length: height }, (_, y) => {
    const line = lines.subarray(y * lineLength, (y + 1) * lineLength);
    const values = Array.from({ length: width * channels }, (_, i) => {
      const bit = i * bitDepth;
      return ((line[1 + (bit >> 3)] ?? 0) >> (8 - bitDepth - (bit & 7))) & (2 ** bitDepth - 1);
    });
    if (line[0] === 1) {
      for (let i = channels; i < values.length; i += 1) {
        values[i] = ((values[i] ?? 0) + (values[i - channels] ?? 0)) & 255;
      }
    }
    return Array.from({ length: width }, (_, x) => {
      if (colorType !== 3) return values.slice(x * channels, (x + 1) * channels);
      const color = (values[x] ?? 0) * 3;
      return [...palette.subarray(color, color + 3)];
    });
  });
}
