import { isIP } from 'node:net';
import { createNetworkCheck } from '../http/client-address.ts';

/** The special-purpose networks of IPv4, according to IANA's registry, and multicast. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** The only network of IPv6 with public addresses. It contains neither mapped addresses nor NAT64. */
const GLOBAL_IPV6 = '2000::/3';

/** The special-purpose networks in it: protocol assignments with Teredo, examples, AS112, 6to4. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const isSpecial = createNetworkCheck([...SPECIAL_IPV4, ...SPECIAL_IPV6]);
const isGlobal = createNetworkCheck([GLOBAL_IPV6]);

/**
 * Returns whether an IP address is a public one. Addresses of hosts in private networks, of this
 * machine, with a zone, and those that stand for another address are not.
 */
export function isPublicAddress(address: string): boolean {
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 4) return !isSpecial(address);
  return version === 6 && isGlobal(address) && !isSpecial(address);
}
