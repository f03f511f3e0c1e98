import type { PublicConfig } from '@parley/contract';
import type { ApiClient } from './client.ts';

/** Fetches the server's public configuration. */
export function fetchConfig(api: ApiClient): Promise<PublicConfig> {
  return api.call('getConfig');
}
