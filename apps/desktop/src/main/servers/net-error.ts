/** The reason why an address could not be reached. */
export type NetFailure = 'no-such-host' | 'no-connection' | 'certificate';

const NO_HOST = /ERR_(?:NAME_NOT_RESOLVED|NAME_RESOLUTION_FAILED|ICANN_NAME_COLLISION|DNS_\w+)/;
// A server without TLS on that port fails with SSL_PROTOCOL_ERROR: there is no certificate to check.
const CERTIFICATE =
  /ERR_CERT_\w+|ERR_SSL_PINNED_KEY_NOT_IN_CERT_CHAIN|ERR_SSL_SERVER_CERT_BAD_FORMAT/;

/** Classifies a network failure by the `net::ERR_…` in its message. */
export function classifyNetError(error: unknown): NetFailure {
  const text = error instanceof Error ? error.message : String(error);
  if (NO_HOST.test(text)) return 'no-such-host';
  return CERTIFICATE.test(text) ? 'certificate' : 'no-connection';
}
