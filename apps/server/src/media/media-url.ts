import { contentKind, endpointPath } from '@parley/contract';
import type { Config } from '../config.ts';
import { isMediaFile, mediaIdOf } from '../media-store/media-file-name.ts';

/** Path under which this server serves media. */
export const MEDIA_PATH = endpointPath('getMedia', { file: '' });

type Settings = Pick<Config, 'mediaUrl' | 'publicUrl' | 'port'>;

/** Returns the prefix of every upload's URL, with a trailing slash. */
export function mediaPrefix({ mediaUrl, publicUrl, port }: Settings): string {
  if (mediaUrl !== undefined) return mediaUrl;
  // Not derived from the request: a sent URL must be valid for users who reach the server by another
  // name.
  return (publicUrl ?? `http://localhost${port === 80 ? '' : `:${port}`}`) + MEDIA_PATH;
}

/** Returns the URL by which messages refer to an upload. `file` is the file name in its row. */
export function mediaUrl(config: Settings, file: string): string {
  return mediaPrefix(config) + file;
}

/** Returns the id of the upload that a text is the URL of, or undefined if it is not one of this server. */
export function findUploadId(config: Settings, text: string): string | undefined {
  const prefix = mediaPrefix(config);
  if (contentKind(text, prefix) === 'text') return undefined;
  const file = text.slice(prefix.length);
  return isMediaFile(file) ? mediaIdOf(file) : undefined;
}
