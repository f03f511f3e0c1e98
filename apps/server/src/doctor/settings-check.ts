import type { Config, ConfigError } from '../config.ts';
import { isIP } from 'node:net';
import { createNetworkCheck } from '../http/client-address.ts';
import { isLoopbackHost } from '../http/loopback.ts';
import { createFindings, type Finding } from './finding.ts';

const { ok, warning, failed } = createFindings('variables');

/** Returns findings for variables with which the server would not start. */
export function findInvalidVariables({ problems }: ConfigError): Finding[] {
  return problems.map((problem) => failed(problem, "See 'parley help config'."));
}

/** Checks settings that are valid individually but not in combination. */
export function checkSettings(config: Config): Finding[] {
  const found: Finding[] = [];
  const isLocal = isLoopbackHost(config.host);
  if (config.publicUrl === undefined && !isLocal) {
    found.push(
      warning(
        'PARLEY_PUBLIC_URL is not set although other machines can reach the server.',
        'Set it to the address that users open. Links in mails and the URLs of media depend on it.',
      ),
    );
  }
  if (config.publicUrl?.startsWith('https:') && config.trustProxy === false) {
    found.push(
      warning(
        'PARLEY_PUBLIC_URL is https, but no proxy is trusted.',
        'Set PARLEY_TRUST_PROXY to the address of your proxy, such as 127.0.0.1. Without it, cookies are not marked as secure, and all users share the same rate limits.',
      ),
    );
  }
  if (config.publicUrl?.startsWith('http:') && !isLoopbackHost(new URL(config.publicUrl).host)) {
    found.push(
      warning(
        'PARLEY_PUBLIC_URL is not https.',
        'Put a reverse proxy with TLS in front of the server. Without it, browsers allow neither to record audio nor to receive notifications while the app is closed.',
      ),
    );
  }
  if (config.smtpUrl !== undefined && !/@[^@]+\.[^@.]+>?$/.test(config.mailFrom)) {
    found.push(
      warning(
        `PARLEY_MAIL_FROM is '${config.mailFrom}', which other mail servers reject.`,
        'Set it to an address of your domain, such as Parley <parley@example.org>, from which the mail server may send.',
      ),
    );
  }
  if (config.trustProxy === true && !isLocal) {
    found.push(
      warning(
        'PARLEY_TRUST_PROXY is true although other machines can reach the port.',
        'List the addresses of your proxies instead, or set PARLEY_HOST=127.0.0.1 if the proxy is on this machine. A client that reaches the port directly can forge its address and bypass limits by address.',
      ),
    );
  }
  for (const network of findOverlyLarge(config.trustProxy)) {
    found.push(
      warning(
        `PARLEY_TRUST_PROXY trusts every address in ${network}.`,
        'List only the addresses of your proxies. A trusted client can forge its address and bypass limits by address.',
      ),
    );
  }
  if (!config.rateLimits) {
    found.push(
      warning(
        'PARLEY_RATE_LIMITS is false.',
        'Unset it. Without rate limits, passwords can be guessed without restriction.',
      ),
    );
  }
  return found.length > 0 ? found : [ok('all valid')];
}

/** Checks whether an address belongs to a private network, such as that of a container. */
const isPrivate = createNetworkCheck(['10.0.0.0/8', '127.0.0.0/8', 'fc00::/7', 'fe80::/10']);

/** Minimum prefix lengths by IP version. Proxy services have up to a /12, or a /29 with IPv6. */
const BITS_MIN = { 4: { private: 8, public: 12 }, 6: { private: 7, public: 25 } } as const;

/** Returns the trusted networks that are larger than any proxy service needs. */
function findOverlyLarge(trusted: Config['trustProxy']): string[] {
  if (typeof trusted === 'boolean') return [];
  return trusted.filter((network) => {
    const [address = '', bits] = network.split('/');
    const { private: inside, public: outside } = BITS_MIN[isIP(address) === 6 ? 6 : 4];
    return bits !== undefined && Number(bits) < (isPrivate(address) ? inside : outside);
  });
}
