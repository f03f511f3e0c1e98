import { createNetworkCheck } from './client-address.ts';

/** Returns whether an IP address belongs to this machine. It may have a port, brackets or a zone. */
export const isLoopbackAddress = createNetworkCheck(['127.0.0.0/8', '::1']);

/**
 * Returns whether a host, with or without a port, always is this machine: one of its addresses, or
 * `localhost` and the names below it (RFC 6761).
 */
export function isLoopbackHost(host: string): boolean {
  if (isLoopbackAddress(host)) return true;
  // Other parts of a URL could precede the host or follow it.
  const name = /[/\\@?#]/.test(host) ? undefined : URL.parse(`http://${host}`)?.hostname;
  return name !== undefined && (/^(?:.+\.)?localhost\.?$/.test(name) || isLoopbackAddress(name));
}
