import type { Session } from 'electron';

/** Answers of Chromium's certificate check: trust it, refuse it, or do as Chromium itself decided. */
export const VERDICT = { trust: 0, refuse: -2, default: -3 } as const;

interface Shown {
  hostname: string;
  /** `net::OK` where the system trusts it. */
  verificationResult: string;
  fingerprint: string;
}

/** Remembers what a session refused, so that a person can be asked about it. */
export interface CertificateCheck {
  /** Decides about one certificate. */
  verdict: (shown: Shown) => number;
  /** Fingerprint of the certificate of a host that was last refused. */
  refusedFingerprint: (hostname: string) => string | undefined;
}

/**
 * The system's store decides first. A certificate that it refuses is trusted only for the pinned host
 * and only while it is the very one that the person saw. Covers HTTP and the live connection alike.
 */
export function createCertificateCheck(pin?: {
  hostname: string;
  fingerprint: string;
}): CertificateCheck {
  const refused = new Map<string, string>();
  return {
    verdict: ({ hostname, verificationResult, fingerprint }) => {
      if (verificationResult === 'net::OK') return VERDICT.default;
      if (
        pin !== undefined &&
        sameHost(hostname, pin.hostname) &&
        fingerprint === pin.fingerprint
      ) {
        return VERDICT.trust;
      }
      refused.set(bare(hostname), fingerprint);
      return VERDICT.default;
    },
    refusedFingerprint: (hostname) => refused.get(bare(hostname)),
  };
}

/** Puts the check in place for everything that a session fetches. */
export function installCertificateCheck(
  session: Pick<Session, 'setCertificateVerifyProc'>,
  { verdict }: CertificateCheck,
): void {
  session.setCertificateVerifyProc(({ hostname, verificationResult, certificate }, callback) => {
    callback(verdict({ hostname, verificationResult, fingerprint: certificate.fingerprint }));
  });
}

function sameHost(a: string, b: string): boolean {
  return bare(a) === bare(b);
}

/** Chromium gives IPv6 addresses without brackets, URLs with. */
function bare(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[|\]$/g, '');
}
