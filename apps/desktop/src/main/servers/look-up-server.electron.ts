import { net, session, type Session } from 'electron';
import { randomUUID } from 'node:crypto';
import { parseAddress } from './address.ts';
import { createCertificateCheck, installCertificateCheck } from './certificates.ts';
import { findRedirect } from './find-redirect.ts';
import { lookUp, type LookUpResult } from './look-up.ts';
import { probeServer } from './probe-server.ts';

/**
 * The session for the next check. Chromium remembers its verdicts about certificates in the session, so that one with
 * a refused or pinned certificate is not used again. Electron cannot remove a session, so all others are.
 */
let idle: Session | undefined;

/**
 * Checks a typed address over Chromium's network stack, so that the system's proxy and trusted certificates
 * apply.
 * @param pinned the fingerprint of a certificate that the user has accepted for this address
 */
export async function lookUpServer(
  typed: string,
  pinned: string | undefined,
): Promise<LookUpResult> {
  const isPinned = pinned !== undefined;
  const reused = isPinned ? undefined : takeIdle();
  const lookUpSession = reused ?? session.fromPartition(`look-${randomUUID()}`);
  const address = parseAddress(typed);
  const pin =
    isPinned && address.kind === 'address'
      ? { hostname: new URL(address.origin).hostname, fingerprint: pinned }
      : undefined;
  const check = createCertificateCheck(pin);
  installCertificateCheck(lookUpSession, check);
  const result = await lookUp(typed, (origin) =>
    probeServer(origin, {
      fetch: (url, init) => lookUpSession.fetch(url, init),
      findRedirect: (url) =>
        findRedirect((options) => net.request({ ...options, session: lookUpSession }), url),
      findRefusedFingerprint: check.findRefusedFingerprint,
    }),
  );
  // Before another check can use the session.
  await lookUpSession.closeAllConnections().catch(() => undefined);
  if (!isPinned && !check.hasRefused()) idle = lookUpSession;
  return result;
}

/** Takes the session of an earlier check, so that no two checks use it at once. */
function takeIdle(): Session | undefined {
  const taken = idle;
  idle = undefined;
  return taken;
}
