import { describe, expect, test } from 'vitest';
import css from './tokens.css?raw';

type Rgb = [number, number, number];

const clip = (value: number): number => Math.min(1, Math.max(0, value));

/** Converts an opaque `oklch(l c h)` to linear sRGB. */
function linearRgb(l: number, c: number, h: number): Rgb {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const l3 = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m3 = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s3 = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    clip(4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3),
    clip(-1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3),
    clip(-0.0041960863 * l3 - 0.7034186147 * m3 + 1.707614701 * s3),
  ];
}

function luminance(name: string, theme: 'light' | 'dark'): number {
  const pair = new RegExp(
    `--${name}: light-dark\\(oklch\\(([\\d. ]+)\\), oklch\\(([\\d. ]+)\\)\\);`,
  ).exec(css);
  const numbers = (theme === 'light' ? pair?.[1] : pair?.[2])?.split(' ').map(Number);
  const [l, c, h] = numbers ?? [];
  if (l === undefined || c === undefined || h === undefined) throw new Error(`no color ${name}`);
  const [red, green, blue] = linearRgb(l, c, h);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the WCAG 2 contrast ratio of two tokens. */
function contrast(one: string, other: string, theme: 'light' | 'dark'): number {
  const first = luminance(one, theme);
  const second = luminance(other, theme);
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

const surfaces = ['bg', 'surface', 'surface-2', 'overlay'];
const bubbles = ['own-fill', 'partner-fill'];
const texts: [string, string[]][] = [
  [
    'text',
    [
      ...surfaces,
      'surface-3',
      'raised',
      'blue-soft',
      'amber-soft',
      'danger-soft',
      'success-soft',
      ...bubbles,
    ],
  ],
  ['text-2', [...surfaces, 'surface-3', 'blue-soft', 'amber-soft', ...bubbles]],
  ['text-3', [...surfaces, 'surface-3', 'blue-soft', 'amber-soft', ...bubbles]],
  ['blue-text', [...surfaces, 'blue-soft', 'amber-soft', ...bubbles]],
  ['amber-text', [...surfaces, 'amber-soft', ...bubbles]],
  ['danger', [...surfaces, 'danger-soft']],
  ['success', [...surfaces, 'success-soft']],
  ['on-ink', ['ink']],
  ['on-blue', ['blue', 'blue-hover', 'blue-active']],
  ['on-amber', ['amber-solid']],
  ['on-danger', ['danger', 'danger-hover']],
  ['on-mark', ['mark', 'yellow']],
];
const shapes: [string, string[]][] = [
  ['border', surfaces],
  ['blue', [...surfaces, 'surface-3', 'raised', 'blue-soft', 'amber-soft', 'own-fill']],
  ['blue-hover', surfaces],
  ['blue-active', surfaces],
  ['amber', ['bg', 'surface', 'amber-soft', 'partner-fill']],
  // The lines of bubbles, against what is around them.
  ['own-line', ['bg', 'surface']],
  ['partner-line', ['bg', 'surface']],
  ['danger', ['blue-soft']],
  ['text-3', ['surface', 'surface-2', 'blue-soft']],
  ['quiet', ['bg', 'surface', ...bubbles]],
];

describe.each(['light', 'dark'] as const)('contrast in the %s theme', (theme) => {
  test.each(texts)(
    'the text color %s has a contrast of at least 4.5 against its backgrounds',
    (text, backgrounds) => {
      const weak = backgrounds.filter((background) => contrast(text, background, theme) < 4.5);
      expect(weak).toEqual([]);
    },
  );

  test('drawings in black stand out from the ground of transparent images, and so do those in white', () => {
    const grounds = ['ground-1', 'ground-2'].map((name) => luminance(name, theme) + 0.05);
    expect(Math.min(...grounds) / 0.05).toBeGreaterThan(7);
    expect(1.05 / Math.min(...grounds)).toBeGreaterThan(1.6);
  });

  test.each(shapes)(
    'the shape color %s has a contrast of at least 3 against its backgrounds',
    (shape, backgrounds) => {
      const weak = backgrounds.filter((background) => contrast(shape, background, theme) < 3);
      expect(weak).toEqual([]);
    },
  );
});
