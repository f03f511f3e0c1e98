/** The types of images that can be animations. */
const ANIMATED_TYPES: ReadonlySet<string> = new Set(['image/gif', 'image/png', 'image/webp']);

/** Resolves to the first frame of an animation that is only played on demand, and to undefined for any other file. */
export async function findStill(file: Blob): Promise<Blob | undefined> {
  if (!ANIMATED_TYPES.has(file.type)) return undefined;
  // If it cannot be loaded or drawn, the element shows what it can.
  return import('./draw-still.ts').then(({ drawStill }) => drawStill(file)).catch(() => undefined);
}
