import type { MediaInfo } from '@parley/contract';
import { ALBUM_WIDTH, type ImageBox } from './image-box.ts';

/** Maximum number of images of an album that are displayed. The last one tells how many more there are. */
export const ALBUM_TILES_MAX = 10;

/** The place of an image in an album, in pixels of an album that is `ALBUM_WIDTH` wide. */
export interface AlbumTile extends ImageBox {
  x: number;
  y: number;
}

/** Where the images of an album are. */
interface AlbumLayout {
  height: number;
  /** In the order of the images. */
  tiles: readonly AlbumTile[];
}

/** Space between two tiles in pixels. */
const GAP = 2;
/** Maximum number of tiles side by side. */
const COLUMNS_MAX = 4;
/** Minimum and maximum height of a row. */
const ROW_MIN = 84;
const ROW_MAX = 256;
/** A tile is large enough to tap and to show an upload. */
const TILE_MIN = 72;
/** The heights that two images and more should have, and the one that an album never exceeds. */
const PAIR_HEIGHT = 240;
const HEIGHT_WANTED = 340;
const HEIGHT_MAX = 440;
/** Bounds of the ratio of width to height for which a tile is made. What is longer is cropped. */
const RATIO_MIN = 0.5;
const RATIO_MAX = 2.2;

/**
 * Arranges the images of an album by their shapes, in order: in rows, or the first one beside a column of the others.
 * Chooses the arrangement that crops the least and is neither flat nor long. The result depends only on the sizes
 * that messages have from the start, so that nothing moves while images load.
 * @param images at least 2, at most `ALBUM_TILES_MAX`
 */
export function layOutAlbum(images: readonly (MediaInfo | undefined)[]): AlbumLayout {
  const ratios = images.map(ratioOf);
  const layouts = splitIntoRows(ratios).map(layOutRows);
  if (ratios.length === 3 || ratios.length === 4) layouts.push(layOutBesideColumn(ratios));
  const costs = layouts.map((layout) => costOf(layout, ratios));
  const best = layouts[costs.indexOf(Math.min(...costs))];
  return best ?? layOutRows([]);
}

/** Returns the ratio of width to height of an image, within bounds. An image of unknown size is square. */
function ratioOf(media: MediaInfo | undefined): number {
  const { width = 0, height = 0, isBlocked } = media ?? {};
  if (isBlocked || width <= 0 || height <= 0) return 1;
  return clamp(width / height, RATIO_MIN, RATIO_MAX);
}

/** Returns all ways to split images into rows. */
function splitIntoRows(ratios: readonly number[]): number[][][] {
  if (ratios.length === 0) return [[]];
  const counts = Array.from({ length: Math.min(COLUMNS_MAX, ratios.length) }, (_, i) => i + 1);
  return counts.flatMap((count) =>
    splitIntoRows(ratios.slice(count)).map((rest) => [ratios.slice(0, count)].concat(rest)),
  );
}

/** Makes each row as wide as the album. Crops the images of rows that would be too flat or too high. */
function layOutRows(rows: readonly number[][]): AlbumLayout {
  const gaps = GAP * (rows.length - 1);
  const wanted = rows.map((row) => clamp(widthWithout(row.length) / sum(row), ROW_MIN, ROW_MAX));
  const scale = Math.min(1, (HEIGHT_MAX - gaps) / sum(wanted));
  const tiles: AlbumTile[] = [];
  let y = 0;
  for (const [index, row] of rows.entries()) {
    const height = (wanted[index] ?? ROW_MIN) * scale;
    let x = 0;
    for (const width of share(widthWithout(row.length), row)) {
      tiles.push({ x, y, width, height });
      x += width + GAP;
    }
    y += height + GAP;
  }
  return { height: y - GAP, tiles };
}

/** Returns the width of a row without the gaps between its tiles. */
function widthWithout(count: number): number {
  return ALBUM_WIDTH - GAP * (count - 1);
}

/** Puts the first image beside a column of the others. */
function layOutBesideColumn([first = 1, ...others]: readonly number[]): AlbumLayout {
  const gaps = GAP * (others.length - 1);
  const column = sum(others.map((ratio) => 1 / ratio));
  // Both sides have the same height if nothing is cropped.
  const exact = (ALBUM_WIDTH - GAP - gaps * first) / (1 + column * first);
  const width = clamp(exact, ALBUM_WIDTH / 4, ALBUM_WIDTH / 2);
  const lead = ALBUM_WIDTH - GAP - width;
  const height = clamp(lead / first, ROW_MAX, HEIGHT_MAX);
  const tiles: AlbumTile[] = [{ x: 0, y: 0, width: lead, height }];
  let y = 0;
  for (const each of share(
    height - gaps,
    others.map((ratio) => 1 / ratio),
  )) {
    tiles.push({ x: lead + GAP, y, width, height: each });
    y += each + GAP;
  }
  return { height, tiles };
}

/**
 * Returns how bad an arrangement is: how much it crops, how far its height is from the wanted one, how different the
 * sizes of its tiles are, and how many of them are tiny.
 */
function costOf({ height, tiles }: AlbumLayout, ratios: readonly number[]): number {
  const cropped = tiles.map((tile, index) =>
    Math.abs(Math.log(tile.width / tile.height / (ratios[index] ?? 1))),
  );
  const mean = (ALBUM_WIDTH * height) / tiles.length;
  const uneven = tiles.map((tile) => Math.abs(Math.log((tile.width * tile.height) / mean)));
  const tiny = tiles.filter((tile) => Math.min(tile.width, tile.height) < TILE_MIN).length;
  const wanted = tiles.length === 2 ? PAIR_HEIGHT : HEIGHT_WANTED;
  const length = Math.abs(Math.log(height / wanted));
  return (2 * sum(cropped) + 0.5 * sum(uneven)) / tiles.length + length + tiny;
}

/** Divides a length in proportion to weights, of which small ones get at least the size of a tile. */
function share(length: number, weights: readonly number[]): number[] {
  const total = sum(weights);
  const isSmall = weights.map((weight) => (length * weight) / total < TILE_MIN);
  const small = isSmall.filter(Boolean).length;
  if (small === 0 || length < TILE_MIN * weights.length) {
    return weights.map((weight) => (length * weight) / total);
  }
  const others = share(
    length - small * TILE_MIN,
    weights.filter((_, index) => !isSmall[index]),
  );
  return isSmall.map((isMin) => (isMin ? TILE_MIN : (others.shift() ?? TILE_MIN)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
