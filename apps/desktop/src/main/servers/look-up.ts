import type { CheckResult } from '../../ipc/picker-bridge.ts';
import { isPlainNetwork, parseAddress, toPlainOrigin } from './address.ts';
import type { ProbeResult } from './probe-server.ts';

/** Checks one origin. */
export type Probe = (origin: string) => Promise<ProbeResult>;

/** The result of a check and the media origins to save with the server. */
export interface LookUpResult {
  result: CheckResult;
  mediaOrigins: string[];
}

/**
 * Finds a Parley server at an address that the user typed. Always tries https first. A server without
 * encryption is reported as `found-plain`, so that the user can decide whether to use it.
 */
export async function lookUp(typed: string, probe: Probe): Promise<LookUpResult> {
  const address = parseAddress(typed);
  if (address.kind === 'invalid') return { result: address, mediaOrigins: [] };
  const secure = address.origin.replace(/^http:/, 'https:');
  const found = await probe(secure);
  // Another server may respond on the https port.
  const shouldTryPlain =
    found.kind === 'no-connection' || (address.isPlain && found.kind === 'not-parley');
  if (!shouldTryPlain) return toLookUpResult(secure, found);
  const plain = address.isPlain ? address.origin : toPlainOrigin(secure);
  const foundPlain = await probe(plain);
  return toLookUpResult(plain, foundPlain.kind === 'no-connection' ? found : foundPlain);
}

function toLookUpResult(origin: string, found: ProbeResult): LookUpResult {
  const none: string[] = [];
  if (found.kind === 'certificate') {
    const { kind, fingerprint } = found;
    return { result: { kind, origin, fingerprint }, mediaOrigins: none };
  }
  if (found.kind !== 'parley') {
    return { result: { kind: found.kind, host: new URL(origin).host }, mediaOrigins: none };
  }
  const kind = isPlainNetwork(origin) ? 'found-plain' : 'found';
  return { result: { kind, origin, version: found.version }, mediaOrigins: found.mediaOrigins };
}
