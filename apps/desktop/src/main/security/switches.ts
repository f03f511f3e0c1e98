import { isPlainNetwork } from '../servers/address.ts';

/** A command-line switch, which must be set before Chromium starts. */
export type Switch = readonly [name: string, value: string];

/**
 * Returns the switches for the known servers. Chromium blocks the microphone on pages without encryption, except
 * for the origins in this switch: the servers that the user has confirmed.
 */
export function getStartSwitches(origins: readonly string[]): Switch[] {
  const plain = filterPlainOrigins(origins);
  return plain.length === 0 ? [] : [['unsafely-treat-insecure-origin-as-secure', plain.join(',')]];
}

/** Returns whether the microphone works on a server only after a restart of the app. */
export function needsRestart(origin: string, atStart: readonly string[]): boolean {
  return isPlainNetwork(origin) && !filterPlainOrigins(atStart).includes(origin);
}

function filterPlainOrigins(origins: readonly string[]): string[] {
  return origins.filter(isPlainNetwork);
}
