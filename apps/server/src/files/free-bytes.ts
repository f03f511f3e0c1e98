import { statfs } from 'node:fs/promises';

/** Bytes that the server may still write below a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
