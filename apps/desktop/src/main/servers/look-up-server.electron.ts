import { session } from 'electron';
import { randomUUID } from 'node:crypto';
import { parseAddress } from './address.ts';
import { createCertificateCheck, installCertificateCheck } from './certificates.ts';
import { lookUp, type LookUpResult } from './look-up.ts';
import { probeServer } from './probe-server.ts';

/**
 * Checks a typed address over Chromium's network stack, so that the system's proxy and trusted certificates
 * apply. Each check uses a new in-memory session, because Chromium caches certificate verdicts per session.
 * @param pinned the fingerprint of a certificate that the user has accepted for this address
 */
export async function lookUpServer(
  typed: string,
  pinned: string | undefined,
): Promise<LookUpResult> {
  const lookUpSession = session.fromPartition(`look-${randomUUID()}`);
  const address = parseAddress(typed);
  const pin =
    pinned !== undefined && address.kind === 'address'
      ? { hostname: new URL(address.origin).hostname, fingerprint: pinned }
      : undefined;
  const check = createCertificateCheck(pin);
  installCertificateCheck(lookUpSession, check);
  return lookUp(typed, (origin) =>
    probeServer(origin, {
      fetch: (url, init) => lookUpSession.fetch(url, init),
      findRefusedFingerprint: check.findRefusedFingerprint,
    }),
  );
}
