import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/** Returns whether a text is a host name, also an international one, or a domain. IP addresses are neither. */
export function isHostName(text: string): boolean {
  const ascii = /^\p{ASCII}*$/u.test(text) ? text : domainToASCII(text);
  const labels = ascii.split('.');
  // Systems read a name that ends in a number as an IPv4 address, such as 300.1.1.1.
  return (
    ascii.length <= 253 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

/**
 * Returns whether a text is a host name or an IP address, which has brackets only inside a URL. The dot of an absolute
 * name, such as in Kubernetes, is allowed.
 */
export function isHost(text: string): boolean {
  return isIP(text) !== 0 || isHostName(text.replace(/\.$/, ''));
}

/** Returns whether the host name of a parsed URL, of any scheme, can be that of a host. */
export function isUrlHost(hostname: string): boolean {
  const inBrackets = /^\[(.*)\]$/.exec(hostname)?.[1];
  if (inBrackets !== undefined) return isIP(inBrackets) === 6;
  try {
    // Schemes other than http(s) keep international names percent-encoded.
    return isHost(decodeURIComponent(hostname));
  } catch {
    return false;
  }
}
