import type { PublicConfig } from '@parley/contract';

/** Where to fetch an upload from: its URL with the configured prefix replaced, as the page may be served elsewhere. */
export function resolveMediaUrl(
  content: string,
  { mediaPrefix, mediaBase }: Pick<PublicConfig, 'mediaPrefix' | 'mediaBase'>,
): string {
  return content.startsWith(mediaPrefix) ? mediaBase + content.slice(mediaPrefix.length) : content;
}
