import type { Session } from 'electron';

/** Answers to Chromium: trust it, or do as Chromium itself decided. */
const VERDICT = { trust: 0, default: -3 } as const;

interface Shown {
  hostname: string;
  /** `net::OK` where the system trusts it. */
  verificationResult: string;
  fingerprint: string;
}

/** A certificate that the user decided to trust for one host. */
export interface Pin {
  hostname: string;
  fingerprint: string;
}

/** Remembers what a session refused, so that a person can be asked about it. */
export interface CertificateCheck {
  /** Decides about one certificate. */
  verdict: (shown: Shown) => 'accepted' | 'pinned' | 'refused';
  /** Fingerprint of the certificate of a host that was last refused. */
  refusedFingerprint: (hostname: string) => string | undefined;
}

/**
 * The system's store decides first. A certificate that it refuses is trusted only for the pinned host
 * and only while it is the very one that the person saw. Covers HTTP and the live connection alike.
 */
export function createCertificateCheck(pin?: Pin): CertificateCheck {
  const refused = new Map<string, string>();
  return {
    verdict: ({ hostname, verificationResult, fingerprint }) => {
      if (verificationResult === 'net::OK') return 'accepted';
      if (pin && isSameHost(hostname, pin.hostname) && fingerprint === pin.fingerprint) {
        return 'pinned';
      }
      refused.set(bare(hostname), fingerprint);
      return 'refused';
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
    const { fingerprint } = certificate;
    const isPinned = verdict({ hostname, verificationResult, fingerprint }) === 'pinned';
    callback(isPinned ? VERDICT.trust : VERDICT.default);
  });
}

interface CertificateWatchDeps {
  hostname: string;
  pin: Pin | undefined;
  /** The server's certificate is refused, or no longer. Called on changes only. */
  onChange: (isRefused: boolean) => void;
}

/** Whether a server's certificate is refused. */
export interface CertificateWatch {
  isRefused: () => boolean;
  /** The server answered: whatever was refused before, its certificate is fine now. */
  noteAnswer: () => void;
  /** Puts the check in place again: a new network process knows nothing of it. */
  install: () => void;
}

/**
 * Checks the certificates of a session that outlives its refusals. Chromium remembers each answer for 30
 * minutes, and nothing but a restart makes it forget (electron/electron#41448): a certificate that the
 * user has just decided to trust would stay refused. So a refusal of the server's own certificate is
 * never answered while somebody waits for it. All connections are closed first, which discards the
 * handshake, and only then the check is released.
 */
export function watchCertificates(
  session: Pick<Session, 'setCertificateVerifyProc' | 'closeAllConnections'>,
  deps: CertificateWatchDeps,
): CertificateWatch {
  const { verdict } = createCertificateCheck(deps.pin);
  let isRefused = false;

  function set(next: boolean): void {
    if (next === isRefused) return;
    isRefused = next;
    deps.onChange(next);
  }

  function install(): void {
    session.setCertificateVerifyProc(({ hostname, verificationResult, certificate }, callback) => {
      const { fingerprint } = certificate;
      const decided = verdict({ hostname, verificationResult, fingerprint });
      const isOwn = isSameHost(hostname, deps.hostname);
      if (isOwn) set(decided === 'refused');
      if (decided === 'pinned') callback(VERDICT.trust);
      else if (decided === 'accepted' || !isOwn) callback(VERDICT.default);
      else void release(callback);
    });
  }

  async function release(callback: (verdict: number) => void): Promise<void> {
    await session.closeAllConnections().catch(() => undefined);
    callback(VERDICT.default);
  }

  install();
  return { isRefused: () => isRefused, noteAnswer: () => set(false), install };
}

function isSameHost(a: string, b: string): boolean {
  return bare(a) === bare(b);
}

/** Chromium gives IPv6 addresses without brackets, URLs with. */
function bare(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[|\]$/g, '');
}
