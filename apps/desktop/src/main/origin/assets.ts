import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import mime from 'mime/lite';

/** The files of a bundle by their request path. Only listed files can be read. */
export interface Assets {
  has: (path: string) => boolean;
  /** Reads a file. Resolves to `undefined` for a path outside the bundle. */
  read: (path: string) => Promise<Asset | undefined>;
}

/** One file of a bundle. */
export interface Asset {
  body: Uint8Array<ArrayBuffer>;
  /** The value of `Content-Type`. */
  type: string;
}

const TEXT_TYPE = /^text\/|[/+](?:json|xml)$/;

/** Lists a folder once, so that no path of a request ever reaches the file system. */
export async function listAssets(folder: string): Promise<Assets> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, string>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    files.set(`/${relative(folder, file).split(sep).map(encodeURIComponent).join('/')}`, file);
  }
  return {
    has: (path) => files.has(path),
    read: async (path) => {
      const file = files.get(path);
      if (file === undefined) return undefined;
      const type = mime.getType(file) ?? 'application/octet-stream';
      return {
        body: new Uint8Array(await readFile(file)),
        type: TEXT_TYPE.test(type) ? `${type}; charset=utf-8` : type,
      };
    },
  };
}
