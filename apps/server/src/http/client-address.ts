import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Returns the canonical form of an IP address: IPv6 in lower case with eight groups, and
 * IPv4-mapped IPv6 as IPv4. Removes a port, brackets and a zone, which some proxies add. Returns
 * undefined for anything that is not an IP address.
 */
export function normalizeAddress(text: string | undefined): string | undefined {
  const [, bracketed, withPort] =
    /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text?.trim() ?? '') ?? [];
  const [address = ''] = (bracketed ?? withPort ?? text?.trim() ?? '').split('%', 1);
  switch (isIP(address)) {
    case 4:
      return address;
    case 6:
      return normalizeIPv6(address);
    default:
      return undefined;
  }
}

function normalizeIPv6(address: string): string {
  // The URL parser converts an embedded IPv4 address to two groups.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const groups = [...left, ...zeros, ...right];
  const [high = '', low = ''] = groups.slice(6);
  return groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff' ? ipv4(high, low) : groups.join(':');
}

function ipv4(high: string, low: string): string {
  const [a, b] = [parseInt(high, 16), parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}

/**
 * Returns the IP address of a client. Falls back to the address of the proxy if the forwarded address is
 * invalid.
 */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  return normalizeAddress(ip) ?? normalizeAddress(socket.remoteAddress) ?? '';
}

/**
 * Returns the network by which rate limits count a request: the client's IPv4 address, or the /48
 * of its IPv6 address, the largest network that a single customer usually gets.
 */
export function clientNetwork(request: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const address = clientAddress(request);
  return address.includes(':') ? `${address.split(':', 3).join(':')}::/48` : address;
}

/**
 * Creates a predicate that returns whether an address is in one of the networks. Each network is a
 * range, such as `10.0.0.0/8`, or a single address.
 */
export function createNetworkCheck(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (text) => {
    const address = normalizeAddress(text);
    if (address === undefined) return false;
    return list.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
  };
}
