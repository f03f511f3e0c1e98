import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodePng } from '../../../../test/decode-png.ts';
import { nestedUses, svgOf } from '../../../../test/expensive-svgs.ts';
import { sample, svgWithScript } from '../../../../test/samples.ts';
import type { InspectedFile } from '../../file-inspection.ts';
import { createInspector, SERVER_OWNER, type Inspector } from '../../inspector.ts';
import { TooComplexMediaError } from '../byte-source.ts';

let folder: string;
let inspector: Inspector;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-svg-'));
  inspector = createInspector({ debug: () => undefined, error: () => undefined });
});
afterAll(async () => {
  await inspector.close();
  await rm(folder, { recursive: true, force: true });
});

/** Inspects an upload. Returns undefined if its format is not accepted. */
async function inspect(
  content: string | Buffer,
): Promise<(InspectedFile & { readonly png: Buffer }) | undefined> {
  files += 1;
  const path = join(folder, `${files}`);
  await writeFile(path, content);
  const handle = await open(path);
  try {
    const target = `${path}.clean`;
    const task = { fd: handle.fd, rules: 'upload', target } as const;
    const found = await inspector.inspect(SERVER_OWNER, task);
    return found && { ...found, png: await readFile(target) };
  } finally {
    await handle.close();
  }
}

/** Returns a pixel of the image that is stored for an SVG. `x` and `y` are parts of its sides. */
async function pixelOf(text: string, x: number, y: number): Promise<number[] | undefined> {
  const found = await inspect(text);
  const rows = decodePng(found?.png ?? Buffer.alloc(0));
  return rows[Math.floor(y * rows.length)]?.[Math.floor(x * (rows[0]?.length ?? 0))];
}

/** Returns whether an image is transparent everywhere. */
function isBlank(found: { readonly png: Buffer } | undefined): boolean {
  const rows = decodePng(found?.png ?? Buffer.alloc(0));
  return rows.every((row) => row.every(([, , , alpha]) => alpha === 0));
}

const RED = [255, 0, 0];

describe('an SVG', () => {
  test('is stored as a PNG that is sharp on every screen', async () => {
    const found = await inspect(svgWithScript());
    expect(found?.type).toEqual({ kind: 'image', mime: 'image/png', extension: 'png' });
    const { width = 0, height = 0 } = found ?? {};
    expect([512, 1024]).toContain(width);
    expect(height).toBe((width * 3) / 4);
    expect(found?.png.includes('script')).toBe(false);
  });

  test.each([
    ['width="20" height="10"', 2],
    ['width="20mm" viewBox="0 0 20 10"', 2],
    ['width="50%" height="50%" viewBox="0 0 10 20"', 0.5],
    ['width="1e9" height="1e9"', 1],
    ['', 1],
  ])('with the attributes "%s" keeps its aspect ratio', async (attributes, ratio) => {
    const found = await inspect(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}/>`);
    const { width = 0, height = 0 } = found ?? {};
    expect(width / height).toBeCloseTo(ratio, 2);
    expect(Math.max(width, height)).toBeGreaterThanOrEqual(512);
    expect(Math.max(width, height)).toBeLessThanOrEqual(2048);
  });

  test('keeps colors and transparency', async () => {
    const half = svgOf('<rect width="5" height="10" fill="red" fill-opacity=".5"/>');
    expect(await pixelOf(half, 0.25, 0.5)).toEqual([...RED, 128]);
    expect((await pixelOf(half, 0.75, 0.5))?.[3]).toBe(0);
    const opaque = svgOf('<rect width="10" height="10" fill="red"/>');
    expect(await pixelOf(opaque, 0.5, 0.5)).toEqual(RED);
  });

  test('shows style sheets, gradients, references and embedded images', async () => {
    const url = `data:image/png;base64,${sample('picture.png').toString('base64')}`;
    const boxes = [
      '<style>.a { fill: red }</style><rect class="a" width="5" height="5"/>',
      '<linearGradient id="g"><stop stop-color="red"/></linearGradient><rect x="5" width="5" height="5" fill="url(#g)"/>',
      '<g id="r" fill="red"><rect y="5" width="5" height="5"/></g><use href="#r" x="5"/>',
      `<image href="${url}" x="4" y="4" width="2" height="2" preserveAspectRatio="none"/>`,
    ];
    const found = await inspect(svgOf(boxes.join('')));
    const rows = decodePng(found?.png ?? Buffer.alloc(0));
    const at = (x: number, y: number) => rows[y * rows.length]?.[x * rows.length]?.slice(0, 3);
    for (const [x, y] of [
      [0.25, 0.25],
      [0.75, 0.25],
      [0.25, 0.75],
      [0.75, 0.75],
    ] as const) {
      expect(at(x, y)).toEqual(RED);
    }
    expect(at(0.5, 0.5)).not.toEqual(RED);
  });

  test.each(['Grüße', 'Привет', 'Ωmega'])('shows the text %s in any font', async (text) => {
    const font = 'y="9" font-size="4" font-family="Comic Sans MS"';
    expect(isBlank(await inspect(svgOf(`<text ${font}>${text}</text>`)))).toBe(false);
  });

  test('loads neither files nor addresses', async () => {
    const links = ['https://127.0.0.1:9/a.png', join(folder, '1'), `file://${folder}/1`];
    const images = links.map((href) => `<image href="${href}" width="10" height="10"/>`);
    expect(isBlank(await inspect(svgOf(images.join(''))))).toBe(true);
  });
});

const repeat = (content: string, count: number) => svgOf(content.repeat(count));

describe('an SVG that is expensive to render', () => {
  test.each([
    [
      'thousands of nested groups',
      svgOf('<g opacity=".5">'.repeat(900) + '<rect width="9" height="9"/>' + '</g>'.repeat(900)),
    ],
    ['too many elements', repeat('<g/>', 700_000)],
    [
      'thousands of layers',
      repeat(
        '<g opacity=".9"><rect width="10" height="10"/><rect width="9" height="9"/></g>',
        9_000,
      ),
    ],
    [
      'many blurs',
      `${svgOf('<filter id="f"><feGaussianBlur stdDeviation="2"/></filter>').slice(0, -6)}${'<rect width="10" height="10" filter="url(#f)"/>'.repeat(500)}</svg>`,
    ],
    [
      'a long transform that is used often',
      svgOf(
        `<rect id="a" width="1" height="1" transform="${'scale(1)'.repeat(12_000)}"/>${'<use href="#a"/>'.repeat(2_000)}`,
      ),
    ],
    ['more than four megabytes', svgOf(' '.repeat(5_000_000))],
  ])('is rejected with %s', async (_, text) => {
    await expect(inspect(text)).rejects.toThrow(TooComplexMediaError);
  });

  test('does not affect the next one', async () => {
    await expect(inspect(nestedUses())).rejects.toThrow(TooComplexMediaError);
    expect((await inspect(svgOf('')))?.type.extension).toBe('png');
  });
});

describe('a file that is not a valid SVG', () => {
  test.each([
    ['an svg element without its namespace', '<svg width="1" height="1"></svg>'],
    ['XML that is not well-formed', '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>'],
    ['HTML with an SVG', '<html><svg xmlns="http://www.w3.org/2000/svg"/></html>'],
    ['an unknown entity', svgOf('<text>&anna;</text>')],
    ['two root elements', svgOf('') + svgOf('')],
    ['a side of zero', '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="9"/>'],
    [
      'a side that is 100,000 times as long',
      '<svg xmlns="http://www.w3.org/2000/svg" width="1e5" height="1"/>',
    ],
    ['bytes that are not UTF-8', Buffer.from(svgOf('<text>\xe9</text>'), 'latin1')],
  ])('is not accepted: %s', async (_, content) => {
    expect(await inspect(content)).toBeUndefined();
  });
});
