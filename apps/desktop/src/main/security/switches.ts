import { isPlainNetwork } from '../servers/address.ts';

/** Command line switches that Chromium takes only before it starts. */
export type Switch = readonly [name: string, value: string];

/**
 * Returns the switches for the known servers. Chromium offers no microphone on a page without encryption,
 * except for origins that this switch names: the servers that the user has confirmed.
 */
export function startSwitches(origins: readonly string[]): Switch[] {
  const plain = plainOrigins(origins);
  return plain.length === 0 ? [] : [['unsafely-treat-insecure-origin-as-secure', plain.join(',')]];
}

/** Whether a server's microphone works only after a restart of the app. */
export function needsRestart(origin: string, atStart: readonly string[]): boolean {
  return isPlainNetwork(origin) && !plainOrigins(atStart).includes(origin);
}

function plainOrigins(origins: readonly string[]): string[] {
  return origins.filter(isPlainNetwork);
}
