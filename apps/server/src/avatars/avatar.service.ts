import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import * as bottts from '@dicebear/bottts';
import { createAvatar } from '@dicebear/core';
import { usernameKey } from '@parley/contract';
import { LRUCache } from 'lru-cache';
import { AppError } from '../errors/app-error.ts';
import { createFairQueue } from '../http/fair-queue.ts';
import type { WebFile } from '../web-client/web-pack.ts';

/** Robots that are kept, at some 10 KiB each. */
const REMEMBERED = 500;

/** What a robot may take on the wire, in bytes. */
const SIZE_MAX = 4_096;

const drawn = new LRUCache<string, WebFile>({ max: REMEMBERED });

/** At some 3 ms each, the last in the queue waits a few seconds. */
const WAITING_MAX = 1_000;
/** Seconds after which a refused client may try again. */
const RETRY_AFTER = 5;

const queue = createFairQueue({
  concurrency: 1,
  maxWaiting: WAITING_MAX,
  createFullError: () => new AppError('unavailable', { retryAfter: RETRY_AFTER }),
});

/**
 * Returns the robot of a name. Drawing is costly and open to guests, so each robot is drawn in a turn
 * of the event loop of its own, and `owner`, such as a network address, waits only for one robot of
 * every other.
 * @throws {AppError} `unavailable` if too many others wait.
 */
export async function requestAvatar(name: string, owner: string): Promise<WebFile> {
  const known = drawn.get(usernameKey(name));
  if (known !== undefined) return known;
  return queue.run(owner, async () => {
    await nextTurn();
    return drawAvatar(name);
  });
}

/** The robot of a name as an SVG document: the same one for every way to write it. */
export function drawAvatar(name: string): WebFile {
  const key = usernameKey(name);
  const known = drawn.get(key);
  if (known !== undefined) return known;
  const svg = createAvatar(bottts, { seed: key })
    .toString()
    .replace(/<metadata.*?<\/metadata>/s, '');
  let avatar = compress(svg);
  // Some patterns of a face are larger than all else, and hardly seen.
  if ((avatar.gzip?.length ?? 0) > SIZE_MAX) avatar = compress(withoutPattern(svg));
  drawn.set(key, avatar);
  return avatar;
}

/** Changes when robots are drawn differently, so that browsers may keep those of one version for ever. */
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

/** The pattern lies between the face's color and the mouth, in a group of its own. */
function withoutPattern(svg: string): string {
  return svg.replace(
    /(<g transform="translate\(-1 -1\)">).*(<\/g><\/g><\/g><g transform="translate\(52 124\)">)/s,
    '$1$2',
  );
}
