import type { Config } from '../config.ts';
import { createNetworkCheck } from '../http/client-address.ts';

/**
 * Whose `X-Forwarded-*` headers count. With `true` these are only those of the proxy that speaks to
 * us: what stands further left in the header may be the client's own invention, and limits by
 * address would hold nobody.
 */
export function createTrustProxy({
  trustProxy,
}: Pick<Config, 'trustProxy'>): false | ((address: string, hop: number) => boolean) {
  if (trustProxy === true) return (_address, hop) => hop === 0;
  return trustProxy === false ? false : createNetworkCheck(trustProxy);
}
