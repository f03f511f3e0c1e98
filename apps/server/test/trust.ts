import { getCACertificates, setDefaultCACertificates } from 'node:tls';

const byDefault = getCACertificates('default');

/**
 * Makes this thread trust `certificates` (PEM) besides those that Node trusts, and no longer those of an earlier call.
 * Test files share a thread, so each calls it without certificates at its end.
 */
export function trust(...certificates: readonly string[]): void {
  setDefaultCACertificates([...byDefault, ...certificates]);
}
