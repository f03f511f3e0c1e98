import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import { createObjectClient, type ObjectClient } from '../media-store/object-client.ts';
import { createTextSource } from '../media-store/object-store.ts';
import type { ObjectStoreSettings } from '../config-checks/object-store-settings.ts';
import { createFindings, type Finding } from './finding.ts';

const store = createFindings('media store');

/** Milliseconds per request above which uploads and images are noticeably slow. */
const SLOW = 500;

/** Milliseconds by which the clock of the store may differ; it rejects more than 15 minutes. */
const TOLERANCE = 60_000;

const CONTENT = 'written by parley doctor';

/** Checks the object storage, if any, by writing, reading, listing and deleting an object. */
export async function checkStore({ mediaStore }: Config): Promise<Finding[]> {
  return mediaStore === undefined ? [] : [await checkObjects(mediaStore)];
}

async function checkObjects(mediaStore: ObjectStoreSettings): Promise<Finding> {
  const client = createObjectClient(mediaStore);
  const key = `${mediaStore.prefix}parley-doctor-${randomUUID()}`;
  const { endpoint, bucket } = mediaStore;
  try {
    const startedAt = performance.now();
    await client.put(key, createTextSource(CONTENT));
    const latency = Math.round(performance.now() - startedAt);
    const problem = await findProblem(client, key);
    await client.delete(key);
    if (problem !== undefined) return store.failed(problem, 'Use another store, or update it.');
    if ((await client.head(key)) !== undefined) {
      return store.failed(
        'The store keeps an object that was deleted.',
        'Turn off its retention or object lock: Parley promises that deleted files are gone.',
      );
    }
    const place = `${bucket} at ${endpoint}, ${latency} ms per write`;
    return latency < SLOW
      ? store.ok(place)
      : store.warning(place, 'Use a store that is closer to the server.');
  } catch (error) {
    return store.failed(
      error instanceof Error ? error.message : String(error),
      'Check PARLEY_MEDIA_STORE, its keys and their rights to write, read, list and delete.',
    );
  } finally {
    await client.delete(key).catch(() => undefined);
    client.close();
  }
}

/** Reads an object in all ways that the server needs. Returns what is wrong. */
async function findProblem(client: ObjectClient, key: string): Promise<string | undefined> {
  const whole = await client.get(key, (_info, body) => text(body));
  if (whole !== CONTENT) return 'The store does not return what was written.';
  const part = await client.get(key, (_info, body) => text(body), { range: 'bytes=0-6' });
  if (part !== CONTENT.slice(0, 7)) return 'The store does not support ranges.';
  for await (const objects of client.list(key)) {
    const found = objects.find((object) => object.key === key);
    if (found === undefined) continue;
    return Math.abs(found.modifiedAt - Date.now()) > TOLERANCE
      ? 'The clocks of this machine and of the store differ by more than a minute.'
      : undefined;
  }
  return 'The store does not list what was written.';
}
