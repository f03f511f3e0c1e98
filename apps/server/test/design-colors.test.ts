import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

type Rgb = readonly number[];

/** Converts `oklch(l c h)` to sRGB with channels from 0 to 255. */
function toRgb([l = 0, c = 0, h = 0]: readonly number[]): Rgb {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const l3 = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m3 = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s3 = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3,
    -1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3,
    -0.0041960863 * l3 - 0.7034186147 * m3 + 1.707614701 * s3,
  ];
  return linear.map((value) => {
    const clipped = Math.min(1, Math.max(0, value));
    return 255 * (clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055);
  });
}

const css = await readFile(join(ROOT, 'packages/renderer/src/ui/tokens.css'), 'utf8');
const tokens = css
  .matchAll(/oklch\(([\d. ]+)\)/g)
  .map(([, parts = '']) => toRgb(parts.split(' ').map(Number)))
  .toArray();

const distance = (one: Rgb, other: Rgb): number =>
  Math.max(...one.map((channel, index) => Math.abs(channel - (other[index] ?? 0))));

test.each(['mail/mail-template.ts', 'exports/page-format.ts'])(
  'all colors of %s are those of the app',
  async (file) => {
    const source = await readFile(join(ROOT, 'apps/server/src', file), 'utf8');
    const colors = new Set(source.match(/#[0-9a-f]{6}\b/g));
    expect(colors.size).toBeGreaterThan(9);
    const others = [...colors].filter((color) => {
      const rgb = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
      return tokens.every((token) => distance(rgb, token) > 2);
    });
    expect(others).toEqual([]);
  },
);
