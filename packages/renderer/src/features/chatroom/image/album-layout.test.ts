import { expect, it, test } from 'vitest';
import { ALBUM_TILES_MAX, layOutAlbum } from './album-layout.ts';
import { ALBUM_WIDTH } from './image-box.ts';

/** Sizes of images by a letter: square, landscape, portrait, and extremely wide and tall. */
const SIZES: Readonly<Record<string, { width: number; height: number }>> = {
  s: { width: 900, height: 900 },
  l: { width: 1600, height: 900 },
  p: { width: 900, height: 1600 },
  w: { width: 4000, height: 20 },
  t: { width: 20, height: 4000 },
};

const layOut = (shapes: string) => layOutAlbum(Array.from(shapes, (letter) => SIZES[letter]));

/** Returns the sizes of the tiles by rows, such as `340x191 169x95,169x95`. */
function describeRows(shapes: string): string {
  const rows = Map.groupBy(layOut(shapes).tiles, ({ y }) => y);
  return Array.from(rows.values(), (row) =>
    row.map(({ width, height }) => `${Math.round(width)}x${Math.round(height)}`).join(),
  ).join(' ');
}

test.each([
  // Landscape images one above the other, portrait ones side by side.
  ['ll', '340x191 340x191'],
  ['pp', '169x256,169x256'],
  ['ss', '169x169,169x169'],
  ['lp', '257x144,81x144'],
  ['lll', '340x191 169x95,169x95'],
  // The first one beside a column of the others.
  ['ppp', '226x401,112x200 112x200'],
  ['ssss', '169x169,169x169 169x169,169x169'],
  ['sssssssss', '112x112,112x112,112x112 112x112,112x112,112x112 112x112,112x112,112x112'],
])('arranges the images %s by their shapes', (shapes, expected) => {
  expect(describeRows(shapes)).toBe(expected);
});

/** All albums of up to four images, and longer ones that repeat two shapes. */
function listAlbums(): string[] {
  const letters = Object.keys(SIZES);
  const add = (albums: string[]) => albums.flatMap((album) => letters.map((each) => album + each));
  const pairs = add(letters);
  const triples = add(pairs);
  const lengths = Array.from({ length: ALBUM_TILES_MAX - 4 }, (_, index) => index + 5);
  const long = lengths.flatMap((length) =>
    pairs.map((pair) => pair.repeat(ALBUM_TILES_MAX).slice(0, length)),
  );
  return [...pairs, ...triples, ...add(triples), ...long];
}

it('fills an area of a moderate height with tiles that are large enough to tap, whatever the shapes', () => {
  for (const shapes of listAlbums()) {
    const { height, tiles } = layOut(shapes);
    expect(tiles, shapes).toHaveLength(shapes.length);
    expect(height, shapes).toBeGreaterThan(80);
    expect(height, shapes).toBeLessThan(440.001);
    const smallest = Math.min(...tiles.flatMap((tile) => [tile.width, tile.height]));
    expect(smallest, shapes).toBeGreaterThan(60);
    // The gaps are 2 pixels wide, so a small part of the area is empty and no tile covers another one.
    const covered = tiles.reduce((total, tile) => total + tile.width * tile.height, 0);
    const area = ALBUM_WIDTH * height;
    expect(covered / area, shapes).toBeLessThan(1);
    expect(covered / area, shapes).toBeGreaterThan(0.9);
    for (const { x, y, width, height: own } of tiles) {
      expect(x + width, shapes).toBeLessThanOrEqual(ALBUM_WIDTH + 0.001);
      expect(y + own, shapes).toBeLessThanOrEqual(height + 0.001);
    }
  }
});

it('treats images of unknown size and blocked ones as square', () => {
  const blocked = { ...SIZES['t'], isBlocked: true };
  const unknown = layOutAlbum([undefined, { width: 0, height: 0 }, blocked, {}]);
  expect(unknown).toEqual(layOut('ssss'));
});
