/**
 * Version of the API between client and server. It is incremented for changes that may affect
 * clients.
 */
export const API_VERSION = 2;

/** The oldest API version of clients that this server supports. */
export const MIN_API_VERSION = 2;

/** The API versions in a server's public configuration. */
interface ServerVersions {
  readonly apiVersion: number;
  /** Early servers do not send this. They support only clients with their own version. */
  readonly minApiVersion?: number | undefined;
}

/**
 * Returns whether a client of version `own` works with a server, or which of the two is too old.
 */
export function checkApiVersion(
  { apiVersion, minApiVersion = apiVersion }: ServerVersions,
  own = API_VERSION,
): 'compatible' | 'client-too-old' | 'server-too-old' {
  if (own < minApiVersion) return 'client-too-old';
  return own > apiVersion ? 'server-too-old' : 'compatible';
}
