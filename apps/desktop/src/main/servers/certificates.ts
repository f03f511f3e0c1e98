import type { Session } from 'electron';

/** Chromium's codes for its verdict: trust the certificate, or keep Chromium's own decision. */
const VERDICT = { trust: 0, default: -3 } as const;

/** A certificate that a server presented, and Chromium's result. */
interface PresentedCertificate {
  hostname: string;
  /** `net::OK` if the system trusts the certificate. */
  verificationResult: string;
  fingerprint: string;
}

/** A certificate that the user decided to trust for one host. */
export interface Pin {
  hostname: string;
  fingerprint: string;
}

/** Checks certificates and remembers the fingerprints of refused ones, so that the user can review them. */
export interface CertificateCheck {
  /** Returns whether the system trusts a certificate, only the user's pin does, or neither. */
  classify: (presented: PresentedCertificate) => 'accepted' | 'pinned' | 'refused';
  /** Returns the fingerprint of the last refused certificate of a host. */
  findRefusedFingerprint: (hostname: string) => string | undefined;
  hasRefused: () => boolean;
}

/**
 * Creates a check. The system's certificate store decides first. A certificate that it refuses is accepted only
 * for the pinned host and only with the pinned fingerprint.
 */
export function createCertificateCheck(pin?: Pin): CertificateCheck {
  const refused = new Map<string, string>();
  return {
    classify: ({ hostname, verificationResult, fingerprint }) => {
      if (verificationResult === 'net::OK') return 'accepted';
      if (pin && isSameHost(hostname, pin.hostname) && fingerprint === pin.fingerprint) {
        return 'pinned';
      }
      refused.set(withoutBrackets(hostname), fingerprint);
      return 'refused';
    },
    findRefusedFingerprint: (hostname) => refused.get(withoutBrackets(hostname)),
    hasRefused: () => refused.size > 0,
  };
}

/** Installs the check for all connections of a session. */
export function installCertificateCheck(
  session: Pick<Session, 'setCertificateVerifyProc'>,
  { classify }: CertificateCheck,
): void {
  session.setCertificateVerifyProc(({ hostname, verificationResult, certificate }, callback) => {
    const { fingerprint } = certificate;
    const isPinned = classify({ hostname, verificationResult, fingerprint }) === 'pinned';
    callback(isPinned ? VERDICT.trust : VERDICT.default);
  });
}

interface CertificateWatchDeps {
  hostname: string;
  pin: Pin | undefined;
  /** Called when the server's certificate is refused, and when it is accepted again. */
  onChange: (isRefused: boolean) => void;
}

/** Reports whether a server's certificate is refused. */
export interface CertificateWatch {
  isRefused: () => boolean;
  /** Records that the server responded, so its certificate is accepted. */
  markAccepted: () => void;
  /** Installs the check in a new network process. */
  install: () => void;
}

/**
 * Watches the certificates of a session. Chromium caches each verdict for 30 minutes, and only a restart
 * clears that cache (electron/electron#41448), so a certificate that the user has just decided to trust
 * would stay refused. Therefore, a refusal of the server's own certificate is returned to Chromium only after
 * all connections were closed, which discards the handshake together with its verdict.
 */
export function watchCertificates(
  session: Pick<Session, 'setCertificateVerifyProc' | 'closeAllConnections'>,
  deps: CertificateWatchDeps,
): CertificateWatch {
  const { classify } = createCertificateCheck(deps.pin);
  let isRefused = false;

  function setRefused(next: boolean): void {
    if (next === isRefused) return;
    isRefused = next;
    deps.onChange(next);
  }

  function install(): void {
    session.setCertificateVerifyProc(({ hostname, verificationResult, certificate }, callback) => {
      const { fingerprint } = certificate;
      const decided = classify({ hostname, verificationResult, fingerprint });
      const isOwn = isSameHost(hostname, deps.hostname);
      if (isOwn) setRefused(decided === 'refused');
      if (decided === 'pinned') callback(VERDICT.trust);
      else if (decided === 'accepted' || !isOwn) callback(VERDICT.default);
      else void refuse(callback);
    });
  }

  async function refuse(callback: (verdict: number) => void): Promise<void> {
    await session.closeAllConnections().catch(() => undefined);
    callback(VERDICT.default);
  }

  install();
  return { isRefused: () => isRefused, markAccepted: () => setRefused(false), install };
}

function isSameHost(a: string, b: string): boolean {
  return withoutBrackets(a) === withoutBrackets(b);
}

/** Removes the brackets of IPv6 addresses, which URLs have and Chromium omits. */
function withoutBrackets(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[|\]$/g, '');
}
