import type { PublicConfig } from '@parley/contract';

/** Returns the URL for loading an upload, with the configured prefix replaced by the current media base. */
export function resolveMediaUrl(
  content: string,
  { mediaPrefix, mediaBase }: Pick<PublicConfig, 'mediaPrefix' | 'mediaBase'>,
): string {
  return content.startsWith(mediaPrefix) ? mediaBase + content.slice(mediaPrefix.length) : content;
}
