import { resolveMediaUrl } from '../../format/resolve-media-url.ts';
import { useHost, usePublicConfig } from '../../host/host-context.ts';

/** The address to fetch an upload from, for the content of a message. */
export function useMediaUrl(content: string): string {
  const { serverOrigin } = useHost();
  const config = usePublicConfig();
  return new URL(resolveMediaUrl(content, config), `${serverOrigin}/`).href;
}
