import { endpointPath } from '@parley/contract';
import type { Config } from '../config.ts';

/** Path below which this server answers with media. */
export const MEDIA_PATH = endpointPath('getMedia', { file: '' });

type Settings = Pick<Config, 'mediaUrl' | 'publicUrl' | 'port'>;

/** What the URL of every upload starts with. It ends in a slash. */
export function mediaPrefix({ mediaUrl, publicUrl, port }: Settings): string {
  if (mediaUrl !== undefined) return mediaUrl;
  // Not from the request: what one person sends must read the same for whoever comes by another name.
  return new URL(MEDIA_PATH, publicUrl ?? `http://localhost:${port}`).href;
}

/** The URL by which messages refer to an upload. `file` is the name of its row. */
export function mediaUrl(config: Settings, file: string): string {
  return mediaPrefix(config) + file;
}

/** The file that a URL refers to, or undefined if it is not the URL of an upload here. */
export function mediaFile(config: Settings, url: string): string | undefined {
  const prefix = mediaPrefix(config);
  if (!url.startsWith(prefix)) return undefined;
  const file = url.slice(prefix.length);
  return isMediaFile(file) ? file : undefined;
}

const FILE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z0-9]{3,4}$/;

/** Whether a name is one that an upload's file can have: `<id>.<ending>`. */
export function isMediaFile(name: string): boolean {
  return FILE.test(name);
}
