import type { FastifyBaseLogger } from 'fastify';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import type { ObjectStoreSettings } from '../config-checks/object-store-settings.ts';
import { newId } from '../storage/ids.ts';
import { isExportFile, isMediaFile, isStoredFile } from './media-file-name.ts';
import { openFileCache, type FileCache } from './file-cache.ts';
import { createMediaFolders, incomingFolder, mediaFolder, removeFile } from './media-folders.ts';
import { MediaStoreError } from './media-store-error.ts';
import type { MediaStore, StoreOwner } from './media-store.ts';
import { ResponseError } from './object-errors.ts';
import { createObjectExports, fileOfObject, type ExportSizes } from './object-exports.ts';
import { hasAge } from './sweep-folder.ts';
import type { ObjectClient, ObjectInfo, ObjectSource } from './object-client.ts';

/** Name of the object that says what the store belongs to. */
const OWNER_FILE = 'parley-owner';

/** Number of copies that are compared with the database at once. */
const PAGE_SIZE = 500;

/** Number of attempts to open a copy that others evict from the cache in the meantime. */
const CACHE_ATTEMPTS = 3;

/**
 * Creates the store of several machines: objects in a bucket. Uploads that are read are downloaded as
 * a whole and verified first, so that a response never breaks off because of the store. Copies stay
 * in a cache of at most `cacheBytes`; with 0, as in commands, there is none. Exports are read in pieces.
 */
export function createObjectStore(
  config: Pick<Config, 'dataDir'>,
  { prefix }: Pick<ObjectStoreSettings, 'prefix'>,
  client: ObjectClient,
  cacheBytes: number,
  log: FastifyBaseLogger,
  exportSizes?: ExportSizes,
): MediaStore {
  const ownerKey = prefix + OWNER_FILE;
  const exported = createObjectExports(client, prefix, putVerified, createFileSource, exportSizes);
  let opening: Promise<FileCache> | undefined;
  /** Downloads in progress, by file. */
  const downloads = new Map<string, Promise<boolean>>();
  /**
   * Whether the store belongs to this database, so that files without a row are not those of
   * others.
   */
  let isClaimed = false;

  function keyOf(file: string): string {
    if (!isMediaFile(file)) throw new TypeError('not the name of an upload');
    return prefix + file;
  }

  async function getCache(): Promise<FileCache | undefined> {
    if (cacheBytes === 0) return undefined;
    opening ??= openFileCache(join(mediaFolder(config), 'cache'), cacheBytes, log);
    try {
      return await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  /**
   * Downloads and verifies a file, then passes its path and size to `accept` and deletes what is
   * left of it. Returns undefined if the file does not exist.
   */
  async function download<T>(
    file: string,
    accept: (path: string, size: number) => Promise<T>,
  ): Promise<T | undefined> {
    await createMediaFolders(config);
    const path = join(incomingFolder(config), `${newId()}.download`);
    try {
      const size = await client.get(keyOf(file), (info, body) => writeVerified(info, body, path));
      return size === undefined ? undefined : await accept(path, size);
    } finally {
      await removeFile(path, log);
    }
  }

  /** Downloads a file for one reader. */
  function openUncached(file: string): Promise<FileHandle | undefined> {
    // The file is deleted at once; the handle stays valid.
    return download(file, (path) => open(path, 'r'));
  }

  /**
   * Downloads a file to the cache, once for all who wait for it. Returns whether the file exists.
   */
  function fill(cache: FileCache, file: string): Promise<boolean> {
    const running = downloads.get(file);
    if (running !== undefined) return running;
    const started = download(file, async (path, size) => {
      await cache.adopt(file, path, size);
      return true;
    })
      .then((isFound) => isFound === true)
      .finally(() => downloads.delete(file));
    downloads.set(file, started);
    return started;
  }

  async function discardCopy(file: string): Promise<void> {
    try {
      const cache = await getCache();
      cache?.discard(file);
      // A download in progress would bring it back.
      downloads.get(file)?.then(
        () => cache?.discard(file),
        () => undefined,
      );
    } catch (error) {
      log.warn({ err: error }, 'could not delete the copy of a file, leaving it to the sweep');
    }
  }

  async function remove(file: string): Promise<boolean> {
    await discardCopy(file);
    if (!isClaimed) return false;
    try {
      if (isExportFile(file)) await exported.remove(file);
      else await client.delete(keyOf(file));
      return true;
    } catch (error) {
      log.warn({ err: error }, 'could not delete a file, leaving it to the sweep');
      return false;
    }
  }

  async function findOwner(): Promise<StoreOwner | undefined> {
    const content = await client.get(ownerKey, (_info, body) => text(body), { isSmall: true });
    if (content === undefined) return undefined;
    const [installation = '', database = ''] = content.split('\n');
    return { installation, database };
  }

  async function claim(owner: StoreOwner, takeOver: boolean): Promise<boolean> {
    const content = createTextSource(`${owner.installation}\n${owner.database}`);
    let found = await findOwner();
    if (found === undefined) {
      await client.putNew(ownerKey, content);
      // Another server may have been faster.
      found = await findOwner();
      if (found === undefined) throw createLostError({ isTemporary: true });
    }
    if (found.installation !== owner.installation) {
      throw new MediaStoreError(
        'The media store belongs to another database. Set PARLEY_MEDIA_STORE to another bucket or folder, or check the database: files that it does not know are deleted.',
      );
    }
    if (takeOver) await client.put(ownerKey, content);
    return takeOver || found.database === owner.database;
  }

  async function putVerified(key: string, source: ObjectSource): Promise<void> {
    await client.put(key, source);
    if (!isSame(await client.head(key), source)) throw createLostError();
  }

  async function add(file: string, path: string): Promise<void> {
    if (isExportFile(file)) {
      await exported.add(file, path);
      await removeFile(path, log);
      return;
    }
    const source = await createFileSource(path);
    await putVerified(keyOf(file), source);
    const cache = await getCache();
    // The partner is about to read it.
    if (cache !== undefined) await cache.adopt(file, path, source.size);
  }

  /** Copies a file inside the store. Returns false if the store refuses. */
  async function copyInside(info: ObjectInfo, file: string, copy: string): Promise<boolean> {
    try {
      await client.copy(keyOf(file), keyOf(copy));
    } catch (error) {
      // Some stores cannot copy.
      if (error instanceof MediaStoreError && error.cause instanceof ResponseError) return false;
      throw error;
    }
    return isSame(await client.head(keyOf(copy)), info);
  }

  return {
    isOnDisk: false,
    add,
    async copy(file, copy) {
      const info = await client.head(keyOf(file));
      if (info === undefined) return false;
      if (await copyInside(info, file, copy)) return true;
      const isAdded = await download(file, async (path) => {
        await add(copy, path);
        return true;
      });
      return isAdded === true;
    },
    async open(file, { size, isReadOnce = false } = {}) {
      const cache = await getCache();
      if (cache === undefined) return openUncached(file);
      if (isReadOnce) return (await cache.open(file, size)) ?? openUncached(file);
      for (let count = 0; count < CACHE_ATTEMPTS; count += 1) {
        const handle = await cache.open(file, count === 0 ? size : undefined);
        if (handle !== undefined) return handle;
        if (!(await fill(cache, file))) return undefined;
      }
      return openUncached(file);
    },
    openExport: async (file, size) => (isExportFile(file) ? exported.open(file, size) : undefined),
    remove,
    async *list() {
      for await (const objects of client.list(prefix)) {
        yield objects.map(({ key }) => key.slice(prefix.length)).filter(isMediaFile);
      }
    },
    async sweepCopies(findOrphans, signal) {
      const cache = await getCache();
      const copies = cache?.list() ?? [];
      for (let at = 0; at < copies.length && !signal.aborted; at += PAGE_SIZE) {
        const page = copies.slice(at, at + PAGE_SIZE);
        for (const file of await findOrphans(page)) await discardCopy(file);
      }
    },
    discardCopy,
    async sweep(age, findOrphans, signal) {
      if (signal.aborted || !isClaimed) return;
      for await (const objects of client.list(prefix)) {
        const old = objects.filter(({ modifiedAt }) => hasAge(modifiedAt, age));
        const names = old.map(({ key }) => fileOfObject(key.slice(prefix.length)));
        const files = new Set(names.filter(isStoredFile));
        for (const file of await findOrphans([...files])) {
          if (signal.aborted) return;
          await remove(file);
        }
        if (signal.aborted) return;
      }
    },
    async claim(owner, { takeOver = false } = {}) {
      try {
        isClaimed = await claim(owner, takeOver);
      } catch (error) {
        // During a failure, it stays what it was.
        if (!(error instanceof MediaStoreError && error.isTemporary)) isClaimed = false;
        throw error;
      }
      return isClaimed;
    },
    findOwner,
    async release() {
      await client.delete(ownerKey);
      isClaimed = true;
    },
    async check() {
      if ((await client.head(ownerKey)) === undefined) {
        throw new MediaStoreError(
          `The media store has lost its bucket or its object ${OWNER_FILE}.`,
        );
      }
    },
    async close() {
      client.close();
      await Promise.allSettled(downloads.values());
    },
  };
}

/** Returns whether a stored object has a size and, if both are known, a checksum. */
function isSame(
  stored: ObjectInfo | undefined,
  { size, sha256 }: Pick<ObjectInfo, 'size' | 'sha256'>,
): boolean {
  return stored?.size === size && (stored.sha256 ?? sha256) === (sha256 ?? stored.sha256);
}

/**
 * Writes a download to a file. Returns its size.
 * @throws if it was truncated or changed, so that it is tried again.
 */
async function writeVerified(
  info: ObjectInfo,
  body: IncomingMessage,
  path: string,
): Promise<number> {
  const hash = createHash('sha256');
  let size = 0;
  await pipeline(
    body,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(path, { mode: 0o600 }),
  );
  if (!Number.isNaN(info.size) && size !== info.size) throw new Error('a truncated file');
  if (info.sha256 !== undefined && hash.digest('hex') !== info.sha256) {
    throw new Error('a file with another checksum');
  }
  return size;
}

/** Creates the source of an object that is a file, or the bytes from `start` to `end` (inclusive) of one. */
async function createFileSource(path: string, start = 0, end = Infinity): Promise<ObjectSource> {
  const createStream = () => createReadStream(path, { start, end });
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createStream() as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex'), createStream };
}

/** Creates the source of an object that is a short text. */
export function createTextSource(content: string): ObjectSource {
  const bytes = Buffer.from(content);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { size: bytes.length, sha256, createStream: () => Readable.from([bytes]) };
}

/** Creates the error for an object that is missing or different right after it was stored. */
function createLostError(options?: { readonly isTemporary: boolean }): MediaStoreError {
  return new MediaStoreError('The media store did not keep a file as it was uploaded.', options);
}
