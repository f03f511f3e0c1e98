import { endpoints } from '@parley/contract';
import type { CheckResult } from '../../ipc/picker-bridge.ts';
import { isPlainNetwork, isWebOrigin, parseAddress, toPlainOrigin } from './address.ts';
import type { ProbeResult } from './probe-server.ts';

/** Checks one origin. */
export type Probe = (origin: string) => Promise<ProbeResult>;

/** The result of a check and the media origins to save with the server. */
export interface LookUpResult {
  result: CheckResult;
  mediaOrigins: string[];
}

/** Maximum number of redirects that a look-up follows. */
const REDIRECTS_MAX = 3;

/** The result of a probe and the origin that it is about. */
interface Probed {
  origin: string;
  found: ProbeResult;
}

/**
 * Finds a Parley server at an address that the user typed. Always tries https first. A server without
 * encryption is reported as `found-plain`, so that the user can decide whether to use it.
 */
export async function lookUp(typed: string, probe: Probe): Promise<LookUpResult> {
  const address = parseAddress(typed);
  if (address.kind === 'invalid') return { result: address, mediaOrigins: [] };
  const secure = address.origin.replace(/^http:/, 'https:');
  const probed = await probeFollowing(secure, probe);
  const { kind } = probed.found;
  // Another server may respond on the https port.
  const shouldTryPlain =
    kind === 'no-connection' || (address.isPlain && (kind === 'not-parley' || kind === 'redirect'));
  if (!shouldTryPlain) return toLookUpResult(probed);
  const plain = address.isPlain ? address.origin : toPlainOrigin(secure);
  const found = await probe(plain);
  return toLookUpResult(
    found.kind === 'no-connection' ? { ...probed, origin: plain } : { origin: plain, found },
  );
}

/** Probes an origin and those to which it redirects, such as from `example.org` to `www.example.org`. */
async function probeFollowing(first: string, probe: Probe): Promise<Probed> {
  let origin = first;
  for (let redirects = 0; ; redirects += 1) {
    const found = await probe(origin);
    const next = found.kind === 'redirect' ? findNextOrigin(origin, found.url) : undefined;
    if (next === undefined || redirects === REDIRECTS_MAX) return { origin, found };
    origin = next;
  }
}

/**
 * Returns the origin to follow. Without encryption, the redirect may not be from the server, and one to another page
 * is not about it.
 */
function findNextOrigin(origin: string, url: string): string | undefined {
  const target = URL.parse(url);
  const isSamePage = target?.pathname === endpoints.getConfig.path && isWebOrigin(target.origin);
  return isSamePage && !isPlainNetwork(origin) && target.origin !== origin
    ? target.origin
    : undefined;
}

function toLookUpResult({ origin, found }: Probed): LookUpResult {
  const none: string[] = [];
  if (found.kind === 'redirect') {
    const host = URL.parse(found.url)?.host ?? found.url;
    return {
      result: { kind: found.kind, host: new URL(origin).host, to: host },
      mediaOrigins: none,
    };
  }
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
