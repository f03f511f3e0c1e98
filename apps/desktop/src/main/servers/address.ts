/** The result of parsing an address. */
export type TypedAddress =
  | {
      kind: 'address';
      /** The origin to try first. */
      origin: string;
      /** Whether the address starts with http://. */
      isPlain: boolean;
    }
  | { kind: 'invalid' };

/**
 * Parses an address with or without scheme, port, path and surrounding whitespace. Without a scheme it means
 * https, as plain http needs the user's consent.
 */
export function parseAddress(typed: string): TypedAddress {
  const text = typed.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (text === '' || (scheme !== undefined && scheme !== 'https' && scheme !== 'http')) {
    return { kind: 'invalid' };
  }
  const url = URL.parse(scheme === undefined ? `https://${text}` : text);
  const isBare = url?.username === '' && url.password === '' && !/\s/.test(text);
  if (!isBare || !isWebOrigin(url.origin)) return { kind: 'invalid' };
  return { kind: 'address', origin: url.origin, isPlain: url.protocol === 'http:' };
}

/**
 * Returns whether a text is the serialized origin of a web server. Refuses characters that URLs allow in a host
 * although no host name contains them, as they have a meaning in policies and command-line switches.
 */
export function isWebOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (url?.origin !== text || !/^https?:$/.test(url.protocol)) return false;
  return /^(?:[\w.-]+|\[[\da-f:.]+\])$/.test(url.hostname);
}

/** Returns the origin with http instead of https. A default port becomes the default port of http. */
export function toPlainOrigin(origin: string): string {
  const url = new URL(origin);
  url.protocol = 'http:';
  return url.origin;
}

/** Returns whether requests to this origin cross the network without encryption. */
export function isPlainNetwork(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && !isLoopback(hostname);
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}
