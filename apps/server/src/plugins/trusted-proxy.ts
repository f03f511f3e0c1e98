import type { Config } from '../config.ts';
import { createNetworkCheck } from '../http/client-address.ts';

/**
 * Returns Fastify's `trustProxy` option: which proxies' `X-Forwarded-*` headers are trusted. With
 * `true`, only the direct peer is trusted. Entries further left in the header may be forged by the
 * client, which would defeat rate limits by address.
 */
export function createTrustProxy({
  trustProxy,
}: Pick<Config, 'trustProxy'>): false | ((address: string, hop: number) => boolean) {
  if (trustProxy === true) return (_address, hop) => hop === 0;
  return trustProxy === false ? false : createNetworkCheck(trustProxy);
}
