import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import S3rver from 's3rver';

/** An S3-compatible store of the tests with an empty bucket. */
export interface ObjectStorage {
  /** URL for `PARLEY_MEDIA_STORE`. */
  readonly url: string;
  /** Both keys, as environment variables. */
  readonly keys: Readonly<Record<'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY', string>>;
  /** Stops the store and deletes its files. */
  readonly stop: () => Promise<void>;
}

/** The only keys that the store accepts. */
const KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

/** Starts a store in this process, with the package `s3rver`. */
export async function startObjectStorage(): Promise<ObjectStorage> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-objects-'));
  const name = 'media';
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name, configs: [] }],
  });
  confirmWhenWritten((server as unknown as { store: FileStore }).store);
  const { port } = await server.run();
  return {
    url: `s3://${name}?endpoint=http://127.0.0.1:${port}`,
    keys: KEYS,
    stop: async () => {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The parts of the package's store that `confirmWhenWritten` uses. */
interface FileStore {
  getResourcePath(bucket: string, key: string, resource: 'object'): string;
  putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>;
  putObject(object: StoredObject): Promise<{ size: number; md5: string }>;
}

interface StoredObject {
  readonly bucket: string;
  readonly key: string;
  readonly metadata: object;
  readonly content: Readable | Buffer;
}

/**
 * Lets a store confirm an object once its file is complete, as S3 does. `s3rver` does so once it has received the
 * content, so that a client sometimes finds no object, or a part of it, that it has just stored.
 */
function confirmWhenWritten(store: FileStore): void {
  store.putObject = async ({ bucket, key, metadata, content }) => {
    const path = store.getResourcePath(bucket, key, 'object');
    await mkdir(dirname(path), { recursive: true });
    const bytes = Buffer.isBuffer(content) ? content : await buffer(content);
    await writeFile(path, bytes);
    const md5 = createHash('md5').update(bytes).digest('hex');
    await store.putMetadata(bucket, key, metadata, md5);
    return { size: bytes.length, md5 };
  };
}
