/** Returns the time zone of this device. */
export function deviceTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns the names of the time zones that this browser knows, and those of the device and of the setting. */
export function listTimeZones(saved: string): string[] {
  const known = Intl.supportedValuesOf('timeZone');
  return [...new Set([...known, 'UTC', deviceTimeZone(), saved])].toSorted();
}
