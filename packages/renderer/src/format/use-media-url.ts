import { resolveMediaUrl } from './resolve-media-url.ts';
import { useHost, usePublicConfig } from '../host/host-context.ts';

/** Returns the absolute URL of the upload in a message's content. */
export function useMediaUrl(content: string): string {
  const { serverOrigin } = useHost();
  const config = usePublicConfig();
  return new URL(resolveMediaUrl(content, config), `${serverOrigin}/`).href;
}
