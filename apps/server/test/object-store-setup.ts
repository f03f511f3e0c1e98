import { randomUUID } from 'node:crypto';
import { startObjectStorage } from '@parley/testing';
import type { TestProject } from 'vitest/node';
import { createObjectClient } from '../src/media-store/object-client.ts';
import { parseObjectStore, readKeys } from '../src/config-checks/object-store-settings.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    objectStore: { url: string; keys: Record<string, string> };
  }
}

/**
 * Starts an object store for the tests that need one, or uses a new folder of that in
 * `PARLEY_TEST_S3_URL`, which has the form of `PARLEY_MEDIA_STORE`, with the usual key variables.
 */
export default async function setUpObjectStore(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['PARLEY_TEST_S3_URL'];
  if (given === undefined) {
    const { url, keys, stop } = await startObjectStorage();
    project.provide('objectStore', { url, keys });
    return stop;
  }
  const url = new URL(given);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/parley-test-${randomUUID()}`;
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env;
  const keys = { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
  const settings = parseObjectStore(url.href);
  if (!('bucket' in settings)) throw new Error(settings.join(' '));
  project.provide('objectStore', { url: url.href, keys });
  return async () => {
    const client = createObjectClient({ ...settings, ...readKeys(keys) });
    for await (const objects of client.list(settings.prefix)) {
      for (const { key } of objects) await client.delete(key);
    }
    client.close();
  };
}
