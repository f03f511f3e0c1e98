import { lookup, Resolver, type LookupAddress, type LookupOptions } from 'node:dns';

/** Resolves the addresses of a host name, as `dns.lookup` does with `all`. */
export type ResolveName = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** Limits of each query: its duration in milliseconds and the number of attempts. */
const QUERY = { timeout: 2_000, tries: 2 };

/**
 * Resolves the addresses of a host name by the servers of the domain name system. `dns.lookup` occupies one
 * of few threads until it has an answer, so that the name of an endpoint whose servers do not answer would
 * delay all others.
 * @param servers the servers to ask, those of this machine by default
 */
export function createNameResolver(servers?: readonly string[]): ResolveName {
  return (hostname, options, callback) => {
    // A new one, as the servers of this machine may have changed.
    const resolver = new Resolver(QUERY);
    if (servers !== undefined) resolver.setServers(servers);
    const addresses: LookupAddress[] = [];
    let failure: NodeJS.ErrnoException | null = null;
    let missing = 2;
    const add = (family: 4 | 6) => (error: NodeJS.ErrnoException | null, found: string[]) => {
      if (error === null) addresses.push(...found.map((address) => ({ address, family })));
      else failure = error;
      missing -= 1;
      if (missing > 0) return;
      if (addresses.length > 0) callback(null, addresses);
      // This machine knows no server, but may have another way.
      else if (failure?.code === 'ECONNREFUSED') lookup(hostname, options, callback);
      else callback(failure, []);
    };
    resolver.resolve4(hostname, add(4));
    resolver.resolve6(hostname, add(6));
  };
}
