/** Why an address could not be reached, as far as it helps to know. */
export type NetFailure = 'no-such-host' | 'no-connection' | 'certificate';

const NO_HOST = /ERR_(?:NAME_NOT_RESOLVED|NAME_RESOLUTION_FAILED|ICANN_NAME_COLLISION|DNS_\w+)/;
// A server that speaks no TLS on that port fails with SSL_PROTOCOL_ERROR: no certificate to judge.
const CERTIFICATE =
  /ERR_CERT_\w+|ERR_SSL_PINNED_KEY_NOT_IN_CERT_CHAIN|ERR_SSL_SERVER_CERT_BAD_FORMAT/;

/** Tells failures of Chromium's network apart by the `net::ERR_…` in the error's message. */
export function classifyNetError(error: unknown): NetFailure {
  const text = error instanceof Error ? error.message : String(error);
  if (NO_HOST.test(text)) return 'no-such-host';
  return CERTIFICATE.test(text) ? 'certificate' : 'no-connection';
}
