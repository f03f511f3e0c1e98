import type { Config, ConfigError } from '../config.ts';
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
  if (!config.rateLimits) {
    found.push(
      warning('PARLEY_RATE_LIMITS is false.', 'Unset it: passwords can be guessed without bound.'),
    );
  }
  return found.length > 0 ? found : [ok('all fit')];
}
