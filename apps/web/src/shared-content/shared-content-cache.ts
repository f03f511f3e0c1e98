import { SHARE } from '@parley/contract';
import type { SharedContent, SharedContentStore } from '@parley/renderer/shared-content';

// The service worker writes what other apps share, and the page reads it. It is stored in a cache, because caches
// keep files of any size and both sides can open them.

const CACHE = 'parley-shared';

/** What is stored about shared content, beside its files. */
interface ShareRecord extends Pick<SharedContent, 'id' | 'text' | 'refused' | 'refusedMore'> {
  readonly receivedAt: number;
  readonly fileNames: readonly string[];
  /** The first user who has seen it. Undefined while it was received before a login. */
  readonly owner?: string;
}

/** The ids of content that is being stored. */
const adding = new Set<string>();

/** Content to store. */
export type NewSharedContent = Omit<SharedContent, 'id'>;

/**
 * Stores content. Resolves to its id, or to undefined if too much is waiting.
 * @throws if the browser cannot store it, as when the disk is full
 */
export async function addSharedContent({
  text,
  images,
  refused,
  refusedMore,
}: NewSharedContent): Promise<string | undefined> {
  const cache = await caches.open(CACHE);
  if ((await readRecords(cache)).length >= SHARE.waitingMax) return undefined;
  const id = crypto.randomUUID();
  adding.add(id);
  try {
    await removeIncomplete(cache);
    for (const [index, file] of images.entries()) {
      await cache.put(fileKey(id, index), new Response(file));
    }
    const fileNames = images.map(({ name }) => name);
    // The record comes last, so that incomplete content is never shown.
    const receivedAt = Date.now();
    await writeRecord(cache, { id, text, refused, refusedMore, fileNames, receivedAt });
  } catch (error) {
    await removeContent(cache, id).catch(() => undefined);
    throw error;
  } finally {
    adding.delete(id);
  }
  return id;
}

/** Creates the page's access to the shared content. */
export function createSharedContentStore(): SharedContentStore {
  const findOwn = async (cache: Cache, username: string): Promise<ShareRecord[]> => {
    const own: ShareRecord[] = [];
    for (const record of await readRecords(cache)) {
      const { id, owner = username } = record;
      if (record.owner === undefined) await writeRecord(cache, { ...record, owner });
      if (owner === username) own.push(record);
      // Another user has signed in. What the previous one left would fill the storage unseen.
      else await removeContent(cache, id);
    }
    return own;
  };
  return {
    list: async (username) => {
      // Opening a cache would create it.
      if (!(await caches.has(CACHE))) return [];
      const own = await findOwn(await caches.open(CACHE), username);
      return own.toSorted((a, b) => b.receivedAt - a.receivedAt).map(({ id }) => id);
    },
    read: async (id, username) => {
      if (!(await caches.has(CACHE))) return undefined;
      const cache = await caches.open(CACHE);
      const record = (await findOwn(cache, username)).find((each) => each.id === id);
      if (!record) return undefined;
      const { text, refused, refusedMore, fileNames } = record;
      const images = await Promise.all(
        fileNames.map(async (name, index) => {
          const stored = await cache.match(fileKey(id, index));
          if (!stored) throw new Error('a shared file is missing');
          const blob = await stored.blob();
          return new File([blob], name, { type: blob.type });
        }),
      );
      return { id, text, refused, refusedMore, images };
    },
    remove: async (id) => removeContent(await caches.open(CACHE), id),
    clear: async () => void (await caches.delete(CACHE)),
  };
}

function recordKey(id: string): string {
  return `/shared/${id}`;
}

function fileKey(id: string, index: number): string {
  return `${recordKey(id)}/${index}`;
}

async function writeRecord(cache: Cache, record: ShareRecord): Promise<void> {
  await cache.put(recordKey(record.id), new Response(JSON.stringify(record)));
}

/** Returns the stored records. Deletes those that are too old. */
async function readRecords(cache: Cache): Promise<ShareRecord[]> {
  const paths = (await cache.keys()).map(({ url }) => new URL(url).pathname);
  const records: ShareRecord[] = [];
  for (const path of paths.filter((each) => /^\/shared\/[^/]+$/.test(each))) {
    const record = (await (await cache.match(path))?.json()) as ShareRecord | undefined;
    if (!record) continue;
    const age = Date.now() - record.receivedAt;
    if (age >= 0 && age < SHARE.keptFor) records.push(record);
    else await removeContent(cache, record.id);
  }
  return records;
}

/** Deletes the files of content that was not completely stored, because the browser was closed, for example. */
async function removeIncomplete(cache: Cache): Promise<void> {
  const paths = (await cache.keys()).map(({ url }) => new URL(url).pathname);
  for (const path of paths) {
    const [, id = ''] = /^\/shared\/([^/]+)\//.exec(path) ?? [];
    if (id !== '' && !adding.has(id) && !paths.includes(recordKey(id))) await cache.delete(path);
  }
}

/** Deletes content with its files. Resolves to whether it was complete. */
async function removeContent(cache: Cache, id: string): Promise<boolean> {
  const wasStored = await cache.delete(recordKey(id));
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (pathname.startsWith(`${recordKey(id)}/`)) await cache.delete(pathname);
  }
  return wasStored;
}
