import { checkApiVersion, endpoints } from '@parley/contract';
import { PublicConfig } from '@parley/contract/schemas';
import { Value } from 'typebox/value';
import { isWebOrigin } from './address.ts';

/** The result of a probe. */
export type ProbeResult =
  | { kind: 'parley'; version: string; mediaOrigins: string[] }
  | { kind: 'no-such-host' }
  | { kind: 'no-connection' }
  /** The system does not trust the server's certificate, which has this fingerprint. */
  | { kind: 'certificate'; fingerprint: string }
  | { kind: 'not-parley' }
  /** The server redirects the request of its configuration to this URL. */
  | { kind: 'redirect'; url: string }
  | { kind: 'server-too-old' }
  | { kind: 'server-too-new' };

/** The reason why an address could not be reached. */
type NetFailure = 'no-such-host' | 'no-connection' | 'certificate';

const TIMEOUT_MS = 15_000;
const NO_HOST = /ERR_(?:NAME_NOT_RESOLVED|NAME_RESOLUTION_FAILED|ICANN_NAME_COLLISION|DNS_\w+)/;
// A server without TLS on that port fails with SSL_PROTOCOL_ERROR: there is no certificate to check.
const CERTIFICATE =
  /ERR_CERT_\w+|ERR_SSL_PINNED_KEY_NOT_IN_CERT_CHAIN|ERR_SSL_SERVER_CERT_BAD_FORMAT/;

// The message of Electron's `fetch`, which does not tell the address.
const REDIRECT = /redirect/i;

interface ProbeDeps {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Returns the address to which a request is redirected. */
  findRedirect: (url: string) => Promise<string | undefined>;
  /** Returns the fingerprint of the last refused certificate of a host. */
  findRefusedFingerprint: (hostname: string) => string | undefined;
}

/** Checks whether there is a Parley server at an origin. Never rejects. */
export async function probeServer(origin: string, deps: ProbeDeps): Promise<ProbeResult> {
  const address = origin + endpoints.getConfig.path;
  let response: Response;
  try {
    response = await deps.fetch(address, {
      headers: { accept: 'application/json' },
      credentials: 'omit',
      redirect: 'error',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    if (REDIRECT.test(String(error))) {
      const url = await deps.findRedirect(address);
      return url === undefined ? { kind: 'no-connection' } : { kind: 'redirect', url };
    }
    const failure = classifyNetError(error);
    if (failure !== 'certificate') return { kind: failure };
    const fingerprint = deps.findRefusedFingerprint(new URL(origin).hostname);
    return fingerprint === undefined ? { kind: 'no-connection' } : { kind: failure, fingerprint };
  }
  return parseResponse(origin, response);
}

/** Classifies a network failure by the `net::ERR_…` in its message. */
function classifyNetError(error: unknown): NetFailure {
  const text = error instanceof Error ? error.message : String(error);
  if (NO_HOST.test(text)) return 'no-such-host';
  return CERTIFICATE.test(text) ? 'certificate' : 'no-connection';
}

async function parseResponse(origin: string, response: Response): Promise<ProbeResult> {
  const body: unknown = await response.json().catch(() => undefined);
  if (!isParley(body)) return { kind: 'not-parley' };
  const result = checkApiVersion(body);
  if (result === 'server-too-old') return { kind: 'server-too-old' };
  if (result === 'client-too-old') return { kind: 'server-too-new' };
  if (!Value.Check(PublicConfig, body)) return { kind: 'not-parley' };
  return { kind: 'parley', version: body.version, mediaOrigins: listMediaOrigins(origin, body) };
}

/** Checks only the fields that the version check needs, as other versions may have other fields. */
function isParley(body: unknown): body is { apiVersion: number; minApiVersion?: number } {
  return (
    typeof body === 'object' &&
    body !== null &&
    'product' in body &&
    body.product === 'parley' &&
    'apiVersion' in body &&
    Number.isInteger(body.apiVersion) &&
    (!('minApiVersion' in body) || Number.isInteger(body.minApiVersion))
  );
}

/** Returns the other origins in a server's configuration, from which images and media are loaded. */
export function listMediaOrigins(
  serverOrigin: string,
  {
    mediaBase,
    avatarUrl,
    emojiUrl = '',
  }: Pick<PublicConfig, 'mediaBase' | 'avatarUrl' | 'emojiUrl'>,
): string[] {
  const origins = [mediaBase, avatarUrl, emojiUrl].flatMap((template) => {
    const address = template.replaceAll(/\{\w+\}/g, '');
    const url = URL.parse(address, `${serverOrigin}/`);
    const isForeign = url !== null && url.origin !== serverOrigin && isWebOrigin(url.origin);
    return isForeign ? [url.origin] : [];
  });
  return [...new Set(origins)];
}
