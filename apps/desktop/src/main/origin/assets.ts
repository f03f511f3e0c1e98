import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

/** Files of a bundle by the path that a page asks for. Only what is listed can be read. */
export interface Assets {
  has: (path: string) => boolean;
  /** `undefined` for a path that is not of the bundle. */
  read: (path: string) => Promise<Asset | undefined>;
}

/** One file of a bundle. */
export interface Asset {
  body: Uint8Array<ArrayBuffer>;
  /** For `Content-Type`. */
  type: string;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.wav': 'audio/wav',
  '.mp3': 'audio/mpeg',
  '.txt': 'text/plain; charset=utf-8',
};

/** Lists a folder once; from then on no path that a page makes up reaches the file system. */
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
      const type = TYPES[extname(file)] ?? 'application/octet-stream';
      return { body: new Uint8Array(await readFile(file)), type };
    },
  };
}
