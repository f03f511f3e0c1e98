import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { putStoredFile } from '../../test/stored-media.ts';
import { startStoreProxy, type StoreProxy } from '../../test/store-proxy.ts';
import { objectStoreOf } from '../../test/test-object-store.ts';
import { until } from '../../test/until.ts';
import { readConfig, type Config } from '../config.ts';
import { exportFileOf } from './media-file-name.ts';
import type { MediaStore, StoreOwner } from './media-store.ts';
import { createObjectClient } from './object-client.ts';
import { createObjectStore } from './object-store.ts';

const OWNER: StoreOwner = { installation: 'one', database: 'first' };
/** Longer than any response takes. */
const LIMITS = {
  request: 60_000,
  transfer: 60_000,
  slowest: 64 * 1024,
  idle: 60_000,
  pageSize: 2,
};
/** Several parts and pieces for an export of 10,000 bytes. */
const EXPORT_SIZES = { part: 4_000, piece: 1_500 };
const log = pino({ level: 'silent' });

let proxy: StoreProxy;
let config: Config;
let store: MediaStore;
beforeEach(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-store-'));
  const variables = objectStoreOf(dataDir);
  proxy = await startStoreProxy(variables['PARLEY_MEDIA_STORE'] ?? '');
  config = readConfig({ ...variables, PARLEY_DATA: dataDir, PARLEY_MEDIA_STORE: proxy.url });
  store = openStore(10_000);
});
afterEach(async () => {
  await store.close();
  await proxy.close();
  await rm(config.dataDir, { recursive: true });
});

/** Opens the store as another process does, with its own data folder unless it is given. */
function openStore(
  cacheBytes: number,
  dataDir = config.dataDir,
  limits: Partial<typeof LIMITS> = {},
): MediaStore {
  const { mediaStore } = config;
  if (mediaStore === undefined) throw new Error('no object storage');
  const client = createObjectClient(mediaStore, { ...LIMITS, ...limits });
  const opened = createObjectStore({ dataDir }, mediaStore, client, cacheBytes, log, EXPORT_SIZES);
  onTestFinished(() => opened.close());
  return opened;
}

async function openOther(): Promise<MediaStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-store-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return openStore(10_000, dataDir);
}

async function add(size = 1_000, target = store): Promise<string> {
  const file = `${randomUUID()}.png`;
  await putStoredFile({ ctx: { config, media: target } }, file, Buffer.alloc(size, file));
  return file;
}

async function read(file: string, from = store, size?: number): Promise<string | undefined> {
  const handle = await from.open(file, { size });
  try {
    return (await handle?.readFile())?.toString();
  } finally {
    await handle?.close();
  }
}

const contentOf = (file: string, size = 1_000) => Buffer.alloc(size, file).toString();
const filesIn = (folder: string): Promise<string[]> =>
  readdir(join(config.dataDir, 'media', folder)).catch(() => []);
const countReads = () => proxy.methods.filter((method) => method === 'GET').length;

test('serves an upload from a copy here and downloads it once elsewhere', async () => {
  const file = await add();
  expect(await read(file)).toBe(contentOf(file));
  expect(countReads()).toBe(0);
  const other = await openOther();
  expect(await read(file, other)).toBe(contentOf(file));
  expect(await read(file, other)).toBe(contentOf(file));
  expect(countReads()).toBe(1);
  expect(await filesIn('incoming')).toEqual([]);
});

test('downloads a file once for many simultaneous readers', async () => {
  const file = await add();
  const other = await openOther();
  const contents = await Promise.all(Array.from({ length: 20 }, () => read(file, other)));
  expect(new Set(contents)).toEqual(new Set([contentOf(file)]));
  expect(countReads()).toBe(1);
});

test('deletes the copies that were not used for longest, and none while it is read', async () => {
  const first = await add(4_000);
  const second = await add(4_000);
  const handle = await store.open(first);
  const third = await add(4_000);
  const fourth = await add(4_000);
  // Copies are deleted in the background.
  await until(async () => (await filesIn('cache')).length === 2);
  expect((await filesIn('cache')).toSorted()).toEqual([third, fourth].toSorted());
  expect((await handle?.readFile())?.toString()).toBe(contentOf(first, 4_000));
  await handle?.close();
  expect(await read(second)).toBe(contentOf(second, 4_000));
  await until(async () => (await filesIn('cache')).length === 2);
});

test('serves many readers while copies replace each other', async () => {
  const files = await Promise.all(Array.from({ length: 6 }, () => add(4_000)));
  const reads = Array.from({ length: 90 }, async (_, at) => {
    const file = files[at % files.length] ?? '';
    expect(await read(file)).toBe(contentOf(file, 4_000));
  });
  await Promise.all(reads);
});

test('serves a file that is larger than the cache, and keeps no copies without a cache', async () => {
  const file = await add(20_000);
  expect(await read(file)).toBe(contentOf(file, 20_000));
  const uncached = openStore(0);
  expect(await read(file, uncached)).toBe(contentOf(file, 20_000));
  expect([...(await filesIn('cache')), ...(await filesIn('incoming'))]).toEqual([]);
});

/** Bytes of which no two ranges are equal. */
const exportedBytes = Buffer.from(Array.from({ length: 10_000 }, (_, at) => (at * at) >> 3));

async function addExport(): Promise<string> {
  const file = exportFileOf(randomUUID());
  await putStoredFile({ ctx: { config, media: store } }, file, exportedBytes);
  return file;
}

async function readExport(
  file: string,
  { start = 0, end = exportedBytes.length - 1 } = {},
): Promise<Buffer> {
  const opened = await store.openExport(file, exportedBytes.length);
  if (opened === undefined) throw new Error('the export is missing');
  return buffer(opened.createReadStream({ start, end }));
}

test('stores an export in parts and reads ranges of it, without copies', async () => {
  const picture = await add();
  const file = await addExport();
  expect(await readExport(file)).toEqual(exportedBytes);
  expect(await readExport(file, { start: 3_990, end: 8_010 })).toEqual(
    exportedBytes.subarray(3_990, 8_011),
  );
  expect(await readExport(file, { start: 9_999, end: 9_999 })).toHaveLength(1);
  expect(await filesIn('cache')).toEqual([picture]);
  expect(await filesIn('incoming')).toEqual([]);
  expect(await listAll()).toEqual([picture]);
});

test('keeps the local file of an export out of the sweep while its parts are stored', async () => {
  const path = join(config.dataDir, 'large.zip');
  await writeFile(path, exportedBytes);
  const longAgo = new Date(Date.now() - 2 * 60 * 60_000);
  await utimes(path, longAgo, longAgo);
  proxy.fail('PUT', { status: 403, reason: 'AccessDenied' });
  await expect(store.add(exportFileOf(randomUUID()), path)).rejects.toThrow('denied access');
  const { mtimeMs } = await stat(path);
  expect(mtimeMs).toBeGreaterThan(longAgo.getTime());
});

test('reads only the pieces of an export that its reader takes', async () => {
  const file = await addExport();
  const opened = await store.openExport(file, exportedBytes.length);
  for await (const piece of opened?.createReadStream({ start: 0, end: 9_999 }) ?? []) {
    expect(piece).toEqual(exportedBytes.subarray(0, EXPORT_SIZES.piece));
    break;
  }
  expect(countReads()).toBe(1);
});

test.each(['truncated', { status: 503, reason: 'SlowDown' }] as const)(
  'reads a piece of an export again after a failure: %j',
  async (fault) => {
    const file = await addExport();
    proxy.fail('GET', fault, 2);
    expect(await readExport(file)).toEqual(exportedBytes);
  },
);

test('finds no export whose last part is missing or that has another size', async () => {
  await store.claim(OWNER);
  const file = await addExport();
  expect(await store.openExport(file, exportedBytes.length - 1)).toBeUndefined();
  expect(await store.openExport(exportFileOf(randomUUID()), 10)).toBeUndefined();
  expect(await store.openExport(await add(), 1_000)).toBeUndefined();
  expect(await store.remove(file)).toBe(true);
  expect(await store.openExport(file, exportedBytes.length)).toBeUndefined();
});

const partsIn = async () => {
  const { mediaStore } = config;
  if (mediaStore === undefined) throw new Error('no object storage');
  const client = createObjectClient(mediaStore, LIMITS);
  onTestFinished(() => client.close());
  const parts: string[] = [];
  for await (const page of client.list(`${mediaStore.prefix}export-`)) {
    parts.push(...page.map(({ key }) => key.slice(mediaStore.prefix.length)));
  }
  return parts;
};

test('deletes and sweeps all parts of an export', async () => {
  await store.claim(OWNER);
  const [removed, orphan, kept] = [await addExport(), await addExport(), await addExport()];
  expect(await partsIn()).toHaveLength(9);
  await store.remove(removed);
  expect(await partsIn()).toHaveLength(6);
  const seen: string[] = [];
  const findOrphans = async (files: readonly string[]) => {
    seen.push(...files);
    return files.filter((file) => file === orphan);
  };
  await store.sweep(0, findOrphans, new AbortController().signal);
  expect(new Set(seen)).toEqual(new Set([orphan, kept]));
  expect(await partsIn()).toEqual(['0000', '0001', '0002'].map((part) => `${kept}.${part}`));
  expect(await readExport(kept)).toEqual(exportedBytes);
});

test('keeps no copy of a file that is read once', async () => {
  const file = await add();
  const other = await openOther();
  const readOnce = async (from: MediaStore) => {
    const handle = await from.open(file, { isReadOnce: true });
    const content = await handle?.readFile();
    await handle?.close();
    return content?.toString();
  };
  expect([await readOnce(other), await readOnce(other)]).toEqual([
    contentOf(file),
    contentOf(file),
  ]);
  expect(countReads()).toBe(2);
  // The store that added it has a copy.
  expect(await readOnce(store)).toBe(contentOf(file));
  expect(countReads()).toBe(2);
});

test('keeps the copies of an earlier start within the limit', async () => {
  await mkdir(join(config.dataDir, 'media/cache'), { recursive: true });
  const names = Array.from({ length: 4 }, () => `${randomUUID()}.png`);
  for (const name of names) {
    await writeFile(join(config.dataDir, 'media/cache', name), Buffer.alloc(4_000));
  }
  await add(100);
  await until(async () => (await filesIn('cache')).length === 3);
});

test('downloads a file again if its copy has another size than its row or is gone', async () => {
  const file = await add();
  const other = await openOther();
  await read(file, other);
  await putStoredFile({ ctx: { config, media: store } }, file, 'replaced');
  expect(await read(file, other, 8)).toBe('replaced');
  await rm(join(config.dataDir, 'media/cache', file));
  expect(await read(file)).toBe('replaced');
});

test.each(['truncated', 'corrupt'] as const)('never serves a %s download', async (fault) => {
  const file = await add();
  const other = await openOther();
  proxy.fail('GET', fault);
  await expect(read(file, other)).rejects.toMatchObject({ code: 'MEDIA_STORE' });
  proxy.recover();
  proxy.fail('GET', fault, 1);
  expect(await read(file, other)).toBe(contentOf(file));
});

test('copies a file inside the store, without reading it', async () => {
  const file = await add();
  const copy = `${randomUUID()}.png`;
  expect(await store.copy(file, copy)).toBe(true);
  expect(countReads()).toBe(0);
  await store.claim(OWNER);
  await store.remove(file);
  expect(await read(copy, await openOther())).toBe(contentOf(file));
  expect(await store.copy(file, `${randomUUID()}.png`)).toBe(false);
});

test('copies a file by itself if the store cannot copy', async () => {
  const file = await add();
  const copy = `${randomUUID()}.png`;
  proxy.fail('PUT', { status: 501, reason: 'NotImplemented' }, 3);
  expect(await store.copy(file, copy)).toBe(true);
  expect(countReads()).toBe(1);
  expect(await read(copy, await openOther())).toBe(contentOf(file));
  expect(await filesIn('incoming')).toEqual([]);
});

test.each(['reset', 'silent'] as const)('reports a %s connection while copying', async (fault) => {
  const file = await add();
  const impatient = openStore(10_000, config.dataDir, { request: 500, transfer: 500, idle: 500 });
  proxy.fail('PUT', fault);
  await expect(impatient.copy(file, `${randomUUID()}.png`)).rejects.toMatchObject({
    code: 'MEDIA_STORE',
  });
});

test('deletes a file and its copy, and tells missing files from failures', async () => {
  await store.claim(OWNER);
  const file = await add();
  expect(await store.remove(file)).toBe(true);
  expect(await store.remove(file)).toBe(true);
  expect(await read(file)).toBeUndefined();
  const kept = await add();
  proxy.fail('DELETE', { status: 503, reason: 'SlowDown' });
  expect(await store.remove(kept)).toBe(false);
  proxy.fail('GET', { status: 503, reason: 'SlowDown' });
  await expect(read(kept, await openOther())).rejects.toMatchObject({ code: 'MEDIA_STORE' });
});

test('sweeps old orphans of all pages and copies of files that others deleted', async () => {
  const kept = await add();
  const orphans = [await add(), await add(), await add(), await add()];
  const findOrphans = async (files: readonly string[]) => files.filter((file) => file !== kept);
  const { signal } = new AbortController();
  await store.claim(OWNER);

  await store.sweepCopies(findOrphans, AbortSignal.abort());
  expect(await filesIn('cache')).toHaveLength(5);
  await store.sweepCopies(findOrphans, signal);
  await until(async () => (await filesIn('cache')).length === 1);
  expect(await filesIn('cache')).toEqual([kept]);
  await store.sweep(3_600_000, findOrphans, signal);
  expect(await listAll()).toHaveLength(5);
  expect(await read(orphans[0] ?? '')).toBe(contentOf(orphans[0] ?? ''));

  await store.sweep(0, findOrphans, AbortSignal.abort());
  expect(await listAll()).toHaveLength(5);
  await store.sweep(0, findOrphans, signal);
  expect(await listAll()).toEqual([kept]);
});

async function listAll(): Promise<string[]> {
  const found: string[] = [];
  for await (const files of store.list()) found.push(...files);
  return found;
}

test('belongs to the installation that claimed it first', async () => {
  expect(await store.findOwner()).toBeUndefined();
  expect([await store.claim(OWNER), await store.claim(OWNER)]).toEqual([true, true]);
  const claim = store.claim({ installation: 'two', database: 'first' }, { takeOver: true });
  await expect(claim).rejects.toThrow('belongs to another database');
  await store.check();
  expect([await listAll(), await store.findOwner()]).toEqual([[], OWNER]);
});

test('belongs to one of two installations that claim it at the same moment', async () => {
  const claims = await Promise.allSettled(
    ['one', 'two', 'three', 'four'].map(async (installation) =>
      (await openOther()).claim({ ...OWNER, installation }),
    ),
  );
  expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('can be claimed if the store has no conditional requests', async () => {
  proxy.fail('PUT', { status: 501, reason: 'NotImplemented' }, 1);
  expect(await store.claim(OWNER)).toBe(true);
});

test('deletes no file before it is claimed and while it belongs to a copy of the database', async () => {
  const file = await add();
  const copy = await openOther();
  const { signal } = new AbortController();
  const sweep = (target: MediaStore) => target.sweep(0, async (files) => files, signal);
  await sweep(store);
  expect([await store.remove(file), await store.claim(OWNER)]).toEqual([false, true]);
  expect(await copy.claim({ ...OWNER, database: 'second' })).toBe(false);
  await sweep(copy);
  expect([await copy.remove(file), await listAll()]).toEqual([false, [file]]);

  expect(await copy.claim({ ...OWNER, database: 'second' }, { takeOver: true })).toBe(true);
  expect([await store.claim(OWNER), await store.remove(file)]).toEqual([false, false]);
  proxy.fail('GET', { status: 503, reason: 'SlowDown' });
  await expect(copy.claim({ ...OWNER, database: 'second' })).rejects.toMatchObject({
    isTemporary: true,
  });
  proxy.recover();
  expect([await copy.remove(file), await listAll()]).toEqual([true, []]);
});

test('can be claimed by the next database after it was released', async () => {
  await store.claim(OWNER);
  await store.release();
  expect(await (await openOther()).claim({ installation: 'two', database: 'x' })).toBe(true);
});

test('deletes the file if the folder of copies cannot be used', async () => {
  await store.claim(OWNER);
  const uncached = openStore(0);
  const file = await add(1_000, uncached);
  await mkdir(join(config.dataDir, 'media'), { recursive: true });
  await writeFile(join(config.dataDir, 'media/cache'), 'not a folder');
  expect([await store.remove(file), await listAll()]).toEqual([true, []]);
});

test('deletes a copy that is being downloaded when its file is replaced', async () => {
  const file = await add();
  const other = await openOther();
  proxy.fail('GET', { delay: 150 }, 1);
  const reading = read(file, other);
  await until(() => countReads() === 1);
  await putStoredFile({ ctx: { config, media: store } }, file, Buffer.alloc(1_000, 'new'));
  await other.discardCopy(file);
  await reading;
  expect(await read(file, other)).toBe(Buffer.alloc(1_000, 'new').toString());
});

test('rejects names that are not those of uploads', async () => {
  await expect(store.open('../parley-owner')).rejects.toThrow(TypeError);
});
