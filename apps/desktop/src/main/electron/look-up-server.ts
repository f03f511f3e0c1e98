import { session } from 'electron';
import { randomUUID } from 'node:crypto';
import { parseAddress } from '../servers/address.ts';
import { createCertificateCheck, installCertificateCheck } from '../servers/certificates.ts';
import { lookUp, type LookUp } from '../servers/look-up.ts';
import { probeServer } from '../servers/probe.ts';

/**
 * Looks at a typed address through Chromium's own network: its proxy, its certificates. Each look has a
 * session of its own in memory, as what was decided about a certificate is remembered for a session.
 */
export async function lookUpServer(typed: string, pinned: string | undefined): Promise<LookUp> {
  const own = session.fromPartition(`look-${randomUUID()}`);
  const address = parseAddress(typed);
  const pin =
    pinned !== undefined && address.kind === 'address'
      ? { hostname: new URL(address.origin).hostname, fingerprint: pinned }
      : undefined;
  const check = createCertificateCheck(pin);
  installCertificateCheck(own, check);
  return lookUp(typed, (origin) =>
    probeServer(origin, {
      fetch: (url, init) => own.fetch(url, init),
      refusedFingerprint: check.refusedFingerprint,
    }),
  );
}
