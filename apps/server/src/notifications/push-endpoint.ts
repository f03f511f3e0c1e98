import { isIP } from 'node:net';
import { LIMITS } from '@parley/contract';
import { isPublicAddress } from './public-addresses.ts';

/**
 * Returns the URL of a push subscription, or undefined if the server must not send to it. Users choose
 * these URLs, so that they may be any. Only https on port 443 of hosts with a name or a public address is
 * allowed, and the origins that the operator allows in addition. The addresses of names are checked when
 * the server connects, because they can change.
 */
export function parseEndpoint(text: string, allowed: readonly string[]): URL | undefined {
  const url = text.length > LIMITS.pushEndpointMax ? null : URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') {
    return undefined;
  }
  if (allowed.includes(url.origin)) return url;
  const isHttps = url.protocol === 'https:' && url.port === '';
  return isHttps && isPublicHost(url.hostname) ? url : undefined;
}

function isPublicHost(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0 || address.includes(':')) return isPublicAddress(address);
  // Names without a dot, and these domains, belong to the own network or machine.
  return (
    /^[^.].*\.[^.]+\.?$/.test(hostname) &&
    !/\.(?:localhost|local|internal|home\.arpa)\.?$/.test(hostname)
  );
}
