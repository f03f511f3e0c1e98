import { session } from 'electron';
import { randomUUID } from 'node:crypto';
import { parseAddress } from '../servers/address.ts';
import { createCertificateCheck, installCertificateCheck } from '../servers/certificates.ts';
import { lookUp, type LookUpResult } from '../servers/look-up.ts';
import { probeServer } from '../servers/probe-server.ts';

/**
 * Checks a typed address with a request over Chromium's network stack, with its proxy and certificates. Each
 * check uses a new session in memory, as Chromium caches its decision about a certificate per session.
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
      refusedFingerprint: check.refusedFingerprint,
    }),
  );
}
