import type { Config, ConfigError } from '../config.ts';
import { isIP } from 'node:net';
import { createNetworkCheck } from '../http/client-address.ts';
import { findings, type Finding } from './finding.ts';

const { ok, warning, failed } = findings('variables');

/** Variables that the server would not start with. */
export function wrongVariables({ problems }: ConfigError): Finding[] {
  return problems.map((problem) => failed(problem, "See 'parley help config'."));
}

/** Settings that fit each by itself, but not together. */
export function checkSettings(config: Config): Finding[] {
  const found: Finding[] = [];
  const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(config.host);
  if (config.publicUrl === undefined && !isLocal) {
    found.push(
      warning(
        'PARLEY_PUBLIC_URL is not set, though other machines can reach the server.',
        'Set it to the address that people open: mails link to it, and media are found by it.',
      ),
    );
  }
  if (config.publicUrl?.startsWith('https:') && config.trustProxy === false) {
    found.push(
      warning(
        'PARLEY_PUBLIC_URL is https, but no proxy is trusted.',
        'Set PARLEY_TRUST_PROXY=true: without it, cookies are not marked as secure, and everybody shares one limit.',
      ),
    );
  }
  if (config.publicUrl?.startsWith('http:') && !/\/\/(?:localhost|127\.)/.test(config.publicUrl)) {
    found.push(
      warning(
        'PARLEY_PUBLIC_URL is not https.',
        'Put a reverse proxy with TLS in front: browsers give no microphone to pages without it.',
      ),
    );
  }
  for (const network of tooWide(config.trustProxy)) {
    found.push(
      warning(
        `PARLEY_TRUST_PROXY trusts every address in ${network}.`,
        'Name only the addresses of your proxies: whoever is trusted can claim to be anybody, and no limit by address holds them.',
      ),
    );
  }
  if (!config.rateLimits) {
    found.push(
      warning('PARLEY_RATE_LIMITS is false.', 'Unset it: passwords can be guessed without bound.'),
    );
  }
  return found.length > 0 ? found : [ok('all fit')];
}

/** Networks that are no part of the internet, such as that of a container. */
const isPrivate = createNetworkCheck(['10.0.0.0/8', '127.0.0.0/8', 'fc00::/7', 'fe80::/10']);

/** Fewest bits of a network by its IP version: proxy services have up to a /12, in IPv6 a /29. */
const BITS_MIN = { 4: { private: 8, public: 12 }, 6: { private: 7, public: 25 } } as const;

/** Those of the trusted networks that hold more than anybody's proxies. */
function tooWide(trusted: Config['trustProxy']): string[] {
  if (typeof trusted === 'boolean') return [];
  return trusted.filter((network) => {
    const [address = '', bits] = network.split('/');
    const { private: inside, public: outside } = BITS_MIN[isIP(address) === 6 ? 6 : 4];
    return bits !== undefined && Number(bits) < (isPrivate(address) ? inside : outside);
  });
}
