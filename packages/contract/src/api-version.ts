/** Version of the interface between client and server. Grows with changes that a client may have to know of. */
export const API_VERSION = 1;

/** The oldest version of a client that this server works with. */
export const MIN_API_VERSION = 1;

/** The versions that a server states in its configuration. */
interface ServerVersions {
  readonly apiVersion: number;
  /** Servers of early releases state none: they work with clients of their own version only. */
  readonly minApiVersion?: number | undefined;
}

/** Whether a client of version `own` works with a server, or which of the two is too old. */
export function checkApiVersion(
  { apiVersion, minApiVersion = apiVersion }: ServerVersions,
  own = API_VERSION,
): 'compatible' | 'client-too-old' | 'server-too-old' {
  if (own < minApiVersion) return 'client-too-old';
  return own > apiVersion ? 'server-too-old' : 'compatible';
}
