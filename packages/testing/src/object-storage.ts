import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
