import { expect, test } from 'vitest';
import { createCertificateCheck, VERDICT } from './certificates.ts';

const untrusted = { verificationResult: 'net::ERR_CERT_AUTHORITY_INVALID' };
const pin = { hostname: '[::1]', fingerprint: 'sha256/AAA' };

test('what the system trusts stays its decision', () => {
  const check = createCertificateCheck(pin);
  expect(
    check.verdict({ hostname: 'x.org', verificationResult: 'net::OK', fingerprint: 'sha256/B' }),
  ).toBe(VERDICT.default);
});

test('the pinned certificate is trusted, for its host only', () => {
  const check = createCertificateCheck(pin);
  expect(check.verdict({ ...untrusted, hostname: '::1', fingerprint: 'sha256/AAA' })).toBe(
    VERDICT.trust,
  );
  expect(check.verdict({ ...untrusted, hostname: 'x.org', fingerprint: 'sha256/AAA' })).toBe(
    VERDICT.default,
  );
});

test('another certificate of the pinned host is refused and can be asked about', () => {
  const check = createCertificateCheck(pin);
  expect(check.verdict({ ...untrusted, hostname: '::1', fingerprint: 'sha256/NEW' })).toBe(
    VERDICT.default,
  );
  expect(check.refusedFingerprint('[::1]')).toBe('sha256/NEW');
  expect(check.refusedFingerprint('x.org')).toBeUndefined();
});
