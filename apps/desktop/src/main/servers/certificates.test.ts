import { expect, test, vi } from 'vitest';
import {
  createCertificateCheck,
  installCertificateCheck,
  watchCertificates,
  type Pin,
} from './certificates.ts';

const untrusted = { verificationResult: 'net::ERR_CERT_AUTHORITY_INVALID' };
const pin = { hostname: '[::1]', fingerprint: 'sha256/AAA' };

test('accepts every certificate that the system trusts', () => {
  const { classify } = createCertificateCheck(pin);
  const shown = { hostname: 'x.org', verificationResult: 'net::OK', fingerprint: 'sha256/B' };
  expect(classify(shown)).toBe('accepted');
});

test('trusts the pinned certificate for its host only', () => {
  const { classify } = createCertificateCheck(pin);
  const fingerprint = 'sha256/AAA';
  expect(classify({ ...untrusted, hostname: '::1', fingerprint })).toBe('pinned');
  expect(classify({ ...untrusted, hostname: 'x.org', fingerprint })).toBe('refused');
});

test('refuses another certificate of the pinned host and returns its fingerprint', () => {
  const check = createCertificateCheck(pin);
  expect(check.classify({ ...untrusted, hostname: '::1', fingerprint: 'sha256/NEW' })).toBe(
    'refused',
  );
  expect(check.findRefusedFingerprint('[::1]')).toBe('sha256/NEW');
  expect(check.findRefusedFingerprint('x.org')).toBeUndefined();
});

type Proc = Parameters<
  Parameters<typeof installCertificateCheck>[0]['setCertificateVerifyProc']
>[0];

/**
 * Creates a session that behaves like Chromium's: it caches verdicts on certificates, and closing all
 * connections aborts the current handshakes, whose verdicts are then not cached.
 */
function createChromiumSession() {
  const cachedVerdicts = new Map<string, number>();
  const handshakes = new Set<{ fail: () => void }>();
  let proc: Proc = null;
  return {
    setCertificateVerifyProc: (next: Proc) => {
      proc = next;
    },
    closeAllConnections: async () => {
      for (const { fail } of handshakes) fail();
      handshakes.clear();
    },
    /** Connects to a server with this self-signed certificate. */
    connect: (hostname: string, fingerprint: string) =>
      new Promise<'connected' | 'refused' | 'aborted'>((resolve) => {
        const key = `${hostname} ${fingerprint}`;
        const outcome = (verdict: number) => (verdict === 0 ? 'connected' : 'refused');
        const known = cachedVerdicts.get(key);
        if (known !== undefined) {
          resolve(outcome(known));
          return;
        }
        const handshake = { fail: () => resolve('aborted') };
        handshakes.add(handshake);
        const request = { ...untrusted, hostname, certificate: { fingerprint } };
        proc?.(request as Parameters<NonNullable<Proc>>[0], (verdict) => {
          if (!handshakes.delete(handshake)) return;
          cachedVerdicts.set(key, verdict);
          resolve(outcome(verdict));
        });
      }),
  };
}

const HOST = 'chat.example.org';
const watch = (
  session: ReturnType<typeof createChromiumSession>,
  fingerprint?: string,
  onChange: (isRefused: boolean) => void = () => undefined,
) => {
  const known: Pin | undefined =
    fingerprint === undefined ? undefined : { hostname: HOST, fingerprint };
  return watchCertificates(session, { hostname: HOST, pin: known, onChange });
};

test('without the watch, a refused certificate stays refused, as Chromium caches the verdict', async () => {
  const session = createChromiumSession();
  installCertificateCheck(session, createCertificateCheck());
  expect(await session.connect(HOST, 'sha256/NEW')).toBe('refused');
  installCertificateCheck(
    session,
    createCertificateCheck({ hostname: HOST, fingerprint: 'sha256/NEW' }),
  );
  expect(await session.connect(HOST, 'sha256/NEW')).toBe('refused');
});

test('a changed certificate is accepted as soon as the user trusts it', async () => {
  const session = createChromiumSession();
  watch(session, 'sha256/OLD');
  expect(await session.connect(HOST, 'sha256/OLD')).toBe('connected');
  expect(await session.connect(HOST, 'sha256/NEW')).toBe('aborted');
  expect(await session.connect(HOST, 'sha256/NEW')).toBe('aborted');
  watch(session, 'sha256/NEW');
  expect(await session.connect(HOST, 'sha256/NEW')).toBe('connected');
});

test('reports when the certificate is refused and when it is accepted again', async () => {
  const session = createChromiumSession();
  const onChange = vi.fn<(isRefused: boolean) => void>();
  const certificate = watch(session, 'sha256/AAA', onChange);
  await session.connect(HOST, 'sha256/AAA');
  await session.connect('media.example.org', 'sha256/OTHER');
  expect(onChange).not.toHaveBeenCalled();
  await session.connect(HOST, 'sha256/NEW');
  await session.connect(HOST, 'sha256/NEW');
  expect(onChange.mock.calls).toEqual([[true]]);
  expect(certificate.isRefused()).toBe(true);
  certificate.markAccepted();
  expect(onChange.mock.calls).toEqual([[true], [false]]);
});

test('does not close connections for the certificate of another host', async () => {
  const session = createChromiumSession();
  const close = vi.spyOn(session, 'closeAllConnections');
  watch(session);
  expect(await session.connect('media.example.org', 'sha256/OTHER')).toBe('refused');
  expect(close).not.toHaveBeenCalled();
});
