import { isUrlHost } from './host-names.ts';

/** How to write a password that has characters with a meaning in URLs. */
const ENCODE =
  'Percent-encode special characters of the user and the password: # as %23, / as %2F, ? as %3F, @ as %40, % as %25, a space as %20.';

/** A URL with nothing but a host and a port. */
const HOST_ONLY = /^[a-z\d+.-]+:\/\/[\w.[\]-]+(?::\d{1,5})?\/?$/i;

/**
 * Returns what is wrong with a URL that may contain a user and a password, or undefined. `hasPath` is
 * whether it may have a path.
 */
export function findLoginUrlProblem(
  value: string,
  { hasPath }: { hasPath: boolean },
): string | undefined {
  const [, authority = '', tail = ''] = /^[a-z]+:\/\/([^/?#]*)(.*)$/is.exec(value) ?? [];
  const userInfo = authority.slice(0, authority.lastIndexOf('@') + 1);
  // A `#`, `/` or `?` in a password ends the host, so that the first part of the password is read as the port.
  const isCutOff = /^[^?]*@|^[^=]*@/.test(tail);
  // Both libraries take a `%` literally if no code follows it.
  const isEncoded = decode(userInfo.replaceAll(/%(?![0-9a-f]{2})/gi, '%25')) !== undefined;
  if (isCutOff || !isEncoded) return ENCODE;
  // Without a host, PostgreSQL is reached through the folder of its socket in the query.
  const url = URL.parse(value.replace('@/', '@localhost/'));
  if (url === null) {
    return HOST_ONLY.test(value)
      ? 'Its port must be a number up to 65535.'
      : `It is not a URL. ${ENCODE}`;
  }
  const host = decode(url.hostname) ?? '';
  const isSocket = hasPath && (host === '' || host.startsWith('/'));
  if (!isSocket && !isUrlHost(url.hostname))
    return `'${host}' is not a host name or an IP address.`;
  if (!hasPath && !['', '/'].includes(url.pathname))
    return `It must end after the host and port. ${ENCODE}`;
  return undefined;
}

/**
 * Returns a URL without what may be secret: the user, the password and the query. Without an `@`, all but a host and a
 * port may be a part of a password that was not encoded.
 */
export function hideSecrets(value: string): string {
  const scheme = /^[a-z\d+.-]+:\/\//i.exec(value)?.[0];
  if (scheme === undefined) return '***';
  const end = value.lastIndexOf('@');
  if (end < 0) return HOST_ONLY.test(value) ? value : `${scheme}***`;
  return `${scheme}***${value.slice(end).replace(/\?.*$/s, '?***')}`;
}

/** Decodes a part of a URL. Returns undefined if its encoding is invalid. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
