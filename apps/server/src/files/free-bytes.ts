import { statfs } from 'node:fs/promises';

/** Returns the number of bytes that can still be written below a folder. */
export async function getFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
