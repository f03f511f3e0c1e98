import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { createFolderStore } from './folder-store.ts';
import type { MediaStore } from './media-store.ts';
import { createObjectClient } from './object-client.ts';
import { createObjectStore } from './object-store.ts';

/**
 * Creates the store that the configuration selects. Only this module determines which one it is.
 * Commands use a `mediaCacheBytes` of 0, because a running server manages the cache.
 */
export function createMediaStore(
  {
    dataDir,
    mediaStore,
    mediaCacheBytes,
  }: Pick<Config, 'dataDir' | 'mediaStore' | 'mediaCacheBytes'>,
  log: FastifyBaseLogger,
): MediaStore {
  if (mediaStore === undefined) return createFolderStore({ dataDir }, log);
  const client = createObjectClient(mediaStore);
  return createObjectStore({ dataDir }, mediaStore, client, mediaCacheBytes, log);
}
