/** An address as somebody typed it, understood. */
export type TypedAddress =
  | {
      kind: 'address';
      /** Tried first. */ origin: string;
      /** Whether plain http was asked for by name. */ isPlain: boolean;
    }
  | { kind: 'invalid' };

/**
 * Understands an address with or without scheme, port, path or blanks around it. Without a scheme it
 * means https: going down to http needs the person's word.
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
 * Whether a text is the origin of a web server, written as URLs write it. The signs that URLs allow in
 * a host and no name has are refused: in a policy or a switch they would mean something else.
 */
export function isWebOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (url?.origin !== text || !/^https?:$/.test(url.protocol)) return false;
  return /^(?:[\w.-]+|\[[\da-f:.]+\])$/.test(url.hostname);
}

/** The same server without encryption. `https` on its usual port becomes `http` on its usual port. */
export function plainOrigin(origin: string): string {
  const url = new URL(origin);
  url.protocol = 'http:';
  return url.origin;
}

/** Whether what goes over the network to this origin can be read on the way. */
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
