import jsQr from 'jsqr';
import { expect, test } from 'vitest';
import { createQrPath } from './qr-path.ts';

/** Pixels per module. */
const SCALE = 4;

/** Draws the path in black on white and reads the QR code. */
function readQrCode({ size, path }: { size: number; path: string }): string | undefined {
  const width = size * SCALE;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1H(\d+)z/g)].map((run) => run.map(Number));
  for (const [, x = 0, y = 0, length = 0] of runs) {
    for (let row = y * SCALE; row < (y + 1) * SCALE; row++) {
      const start = (row * width + x * SCALE) * 4;
      for (let i = start; i < start + length * SCALE * 4; i += 4) pixels.fill(0, i, i + 3);
    }
  }
  return jsQr(pixels, width, width, { inversionAttempts: 'dontInvert' })?.data;
}

test.each([
  'https://a.example/invite#AbCdEf-hIjKlMn_pQrSt',
  `https://${'a-long-name.'.repeat(15)}example:8443/invite#AbCdEf-hIjKlMn_pQrSt`,
])('a QR code contains the text %s', (text) => {
  expect(readQrCode(createQrPath(text))).toBe(text);
});

test('a QR code has a margin of four modules', () => {
  const { size, path } = createQrPath('https://a.example/invite#AbCdEf-hIjKlMn_pQrSt');
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map((run) => run.map(Number));
  expect(Math.min(...runs.flatMap(([, x = 0, y = 0]) => [x, y]))).toBe(4);
  expect(Math.max(...runs.map(([, x = 0, , length = 0]) => x + length))).toBe(size - 4);
  expect(Math.max(...runs.map(([, , y = 0]) => y + 1))).toBe(size - 4);
});
