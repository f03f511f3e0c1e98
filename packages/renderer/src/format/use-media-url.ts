import { endpointPath } from '@parley/contract';
import { resolveMediaUrl } from './resolve-media-url.ts';
import { useHost, usePublicConfig } from '../host/host-context.ts';

/** Returns the absolute URL of the upload in a message's content. */
export function useMediaUrl(content: string): string {
  const { serverOrigin } = useHost();
  const config = usePublicConfig();
  return new URL(resolveMediaUrl(content, config), `${serverOrigin}/`).href;
}

/** Returns the absolute URL at which this server has the upload in a message's content, if another host has it, too. */
export function useOwnMediaUrl(content: string): string {
  const { serverOrigin } = useHost();
  const { mediaPrefix } = usePublicConfig();
  const mediaBase = endpointPath('getMedia', { file: '' });
  return new URL(resolveMediaUrl(content, { mediaPrefix, mediaBase }), `${serverOrigin}/`).href;
}
