import { isPlainNetwork } from '../servers/address.ts';

/** Command line switches that Chromium takes only before it starts. */
export type Switch = readonly [name: string, value: string];

/**
 * On a page without encryption Chromium offers no microphone. Whoever said yes to such a server in their
 * own network gets it nevertheless, for exactly these origins.
 */
export function startSwitches(origins: readonly string[]): Switch[] {
  const plain = plainOrigins(origins);
  return plain.length === 0 ? [] : [['unsafely-treat-insecure-origin-as-secure', plain.join(',')]];
}

/** Whether a server gets its microphone only after the app has been started again. */
export function needsRestart(origin: string, atStart: readonly string[]): boolean {
  return isPlainNetwork(origin) && !plainOrigins(atStart).includes(origin);
}

function plainOrigins(origins: readonly string[]): string[] {
  return origins.filter(isPlainNetwork);
}
