/** Maximum number of images of an album that are displayed. The last one tells how many more there are. */
export const ALBUM_TILES_MAX = 10;

/**
 * Returns the number of tiles in each row of an album: two or three, and one above two if there are three.
 * @param count number of tiles, at least 2
 */
export function albumRows(count: number): number[] {
  if (count === 3) return [1, 2];
  // As many rows of three as possible. A rest of one becomes two rows of two.
  const pairs = (3 - (count % 3)) % 3;
  const triples = (count - 2 * pairs) / 3;
  return [...Array.from({ length: pairs }, () => 2), ...Array.from({ length: triples }, () => 3)];
}
