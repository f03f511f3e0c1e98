import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { contentType } from '../src/web-client/content-type.ts';
import { plainWebFile, type WebFile } from '../src/web-client/web-pack.ts';

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

const ALREADY_COMPRESSED = new Set(['.jpg', '.mp3', '.ogg', '.png', '.webp', '.woff2']);

/**
 * Packs the files of a folder with maximum compression. Returns them by URL path, which is relative
 * to `base`.
 * @throws if the content type of a file's extension is unknown.
 */
export async function packFolder(folder: string, base = '/'): Promise<Map<string, WebFile>> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, WebFile]> => {
        const path = base + relative(folder, name).split(sep).join('/');
        return [path, await packFile(path, readFileSync(name))];
      }),
    ),
  );
}

/** Prepares a file for serving at a path. Built files below `/assets/` have a hash in their name. */
export async function packFile(path: string, identity: Buffer): Promise<WebFile> {
  const type = contentType(path);
  if (type === undefined) throw new Error(`Unknown content type of ${path}`);
  const file = plainWebFile(type, identity, path.startsWith('/assets/'));
  return ALREADY_COMPRESSED.has(extname(path)) ? file : compress(file);
}

/** Adds compressed variants that are significantly smaller. */
export async function compress(file: WebFile): Promise<WebFile> {
  const { identity } = file;
  return {
    ...file,
    br: smaller(await brotli(identity), identity),
    gzip: smaller(await gzipAsync(identity, { level: 9 }), identity),
  };
}

function brotli(bytes: Buffer): Promise<Buffer> {
  return brotliAsync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

function smaller(compressed: Buffer, identity: Buffer): Buffer | undefined {
  return compressed.length < identity.length * 0.95 ? compressed : undefined;
}
