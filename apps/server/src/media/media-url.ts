import { endpointPath } from '@parley/contract';
import type { Config } from '../config.ts';
import { isMediaFile } from '../media-store/media-file-name.ts';

/** Path under which this server serves media. */
export const MEDIA_PATH = endpointPath('getMedia', { file: '' });

type Settings = Pick<Config, 'mediaUrl' | 'publicUrl' | 'port'>;

/** Returns the prefix of every upload's URL, with a trailing slash. */
export function mediaPrefix({ mediaUrl, publicUrl, port }: Settings): string {
  if (mediaUrl !== undefined) return mediaUrl;
  // Not derived from the request: a sent URL must be valid for users who reach the server by another
  // name.
  return new URL(MEDIA_PATH, publicUrl ?? `http://localhost:${port}`).href;
}

/** Returns the URL by which messages refer to an upload. `file` is the file name in its row. */
export function mediaUrl(config: Settings, file: string): string {
  return mediaPrefix(config) + file;
}

/**
 * Returns the file that a URL refers to, or undefined if it is not the URL of an upload on this server.
 */
export function mediaFile(config: Settings, url: string): string | undefined {
  const prefix = mediaPrefix(config);
  if (!url.startsWith(prefix)) return undefined;
  const file = url.slice(prefix.length);
  return isMediaFile(file) ? file : undefined;
}
