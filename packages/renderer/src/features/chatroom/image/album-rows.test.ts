import { expect, it } from 'vitest';
import { ALBUM_TILES_MAX, albumRows } from './album-rows.ts';

it('lays out albums in rows of two and three tiles', () => {
  const counts = Array.from({ length: ALBUM_TILES_MAX - 1 }, (_, index) => index + 2);
  expect(counts.map(albumRows)).toEqual([
    [2],
    [1, 2],
    [2, 2],
    [2, 3],
    [3, 3],
    [2, 2, 3],
    [2, 3, 3],
    [3, 3, 3],
    [2, 2, 3, 3],
  ]);
});
