import type { PublicConfig } from '@parley/contract';
import type { ApiClient } from './client.ts';

/** What the server tells everybody about itself. */
export function fetchConfig(api: ApiClient): Promise<PublicConfig> {
  return api.call('getConfig');
}
