import { CLOCK_ADVICE, describeDifference, isClockWrong } from './clock-check.ts';
import type { Validity } from './probe.ts';

/** Describes a failed request in a word or two. */
export function describeProbeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timed out';
  return 'code' in error ? String(error.code) : error.message;
}

/** Whose certificate was rejected, and what else is known. */
export interface RejectedCertificate {
  /** Code of the error, of Node or OpenSSL. */
  readonly code: string;
  /** Name of the host. */
  readonly host: string;
  /** The variable that contains the name. */
  readonly variable: string;
  readonly validity?: Validity | undefined;
  /** By how many milliseconds the clock of the host is ahead. */
  readonly clockDifference?: number | undefined;
}

/** Explains why a certificate is rejected. Returns undefined if the error does not concern one. */
export function explainCertificate(
  rejected: RejectedCertificate,
): [message: string, advice: string] | undefined {
  const { code, host, variable, validity, clockDifference } = rejected;
  const isExpired = /CERT_HAS_EXPIRED/.test(code);
  if (isExpired || /CERT_NOT_YET_VALID/.test(code)) {
    if (isClockWrong(clockDifference)) {
      return [
        `${describeDifference(host, clockDifference)} Its certificate seems to be invalid because of that.`,
        CLOCK_ADVICE,
      ];
    }
    const since = validity === undefined ? '' : ` on ${validity.to.toISOString()}`;
    const from = validity === undefined ? 'later' : `on ${validity.from.toISOString()}`;
    const now = `If the clock of this machine (${new Date().toISOString()}) is right,`;
    return isExpired
      ? [`The certificate of ${host} expired${since}.`, `${now} renew it.`]
      : [
          `The certificate of ${host} becomes valid ${from}.`,
          `${now} correct the clock of the machine that created it, and create it again.`,
        ];
  }
  if (/ALTNAME/.test(code)) {
    return [
      `The certificate is not for the name ${host}.`,
      `Get one for the name in ${variable}, or set that to a name of the certificate.`,
    ];
  }
  if (/SELF_SIGNED|UNABLE_TO_/.test(code)) {
    return [
      `The certificate of ${host} is not from a trusted authority, or its chain is incomplete (${code}).`,
      'Get one from a public certificate authority, and serve its full chain. To trust an authority of your own, set NODE_EXTRA_CA_CERTS to the file with its certificate.',
    ];
  }
  if (/CERT/.test(code)) {
    return [
      `The certificate of ${host} is rejected (${code}).`,
      'Get one from a public certificate authority, and serve its full chain.',
    ];
  }
  return undefined;
}
