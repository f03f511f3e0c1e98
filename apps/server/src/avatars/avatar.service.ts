import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import * as bottts from '@dicebear/bottts';
import { createAvatar } from '@dicebear/core';
import { usernameKey } from '@parley/contract';
import { createBoundedCache } from '../bounded-cache.ts';
import { createOverloadError } from '../errors/overload-error.ts';
import { createFairQueue } from '../scheduling/fair-queue.ts';
import type { WebFile } from '../web-client/web-pack.ts';

/** Maximum number of cached robots (about 10 KiB each). */
const CACHE_SIZE = 500;

/** Maximum compressed size of a robot in bytes. */
const COMPRESSED_SIZE_MAX = 4_096;

const cache = createBoundedCache<string, WebFile>(CACHE_SIZE);

/** Maximum queue length. At about 3 ms per robot, the last request waits a few seconds. */
const QUEUE_LENGTH_MAX = 1_000;

const queue = createFairQueue({
  concurrency: 1,
  maxWaiting: QUEUE_LENGTH_MAX,
  createFullError: createOverloadError,
});

/**
 * Returns the robot for a name. Drawing is expensive, and guests can request it, so each robot is
 * drawn in its own turn of the event loop, and the queue alternates between owners.
 * @param owner such as the network address of the client.
 * @throws {AppError} `unavailable` if too many requests are waiting.
 */
export async function requestAvatar(name: string, owner: string): Promise<WebFile> {
  const cached = cache.get(usernameKey(name));
  if (cached !== undefined) return cached;
  return queue.run([owner], async () => {
    await nextTurn();
    return drawAvatar(name);
  });
}

/** Draws the robot for a name as an SVG document, independent of case and Unicode form. */
export function drawAvatar(name: string): WebFile {
  const key = usernameKey(name);
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const svg = createAvatar(bottts, { seed: key })
    .toString()
    .replace(/<metadata.*?<\/metadata>/s, '');
  let avatar = compress(svg);
  // A few face patterns are larger than the rest of the image and hardly visible.
  if ((avatar.gzip?.length ?? 0) > COMPRESSED_SIZE_MAX) avatar = compress(removePattern(svg));
  cache.set(key, avatar);
  return avatar;
}

/**
 * The version of the robot drawings. It changes when robots are drawn differently, so that browsers
 * may cache each version forever.
 */
export const AVATAR_VERSION = hash(
  Buffer.concat(['Ada', 'Bob', 'Carla', 'Dan'].map((name) => drawAvatar(name).identity)),
).slice(0, 8);

function compress(svg: string): WebFile {
  const identity = Buffer.from(svg);
  return {
    type: 'image/svg+xml; charset=utf-8',
    hash: hash(identity),
    immutable: true,
    identity,
    br: brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
    gzip: gzipSync(identity),
  };
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
}

/** Removes the face pattern, which is in a group between the face's color and the mouth. */
function removePattern(svg: string): string {
  return svg.replace(
    /(<g transform="translate\(-1 -1\)">).*(<\/g><\/g><\/g><g transform="translate\(52 124\)">)/s,
    '$1$2',
  );
}
