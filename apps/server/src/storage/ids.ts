import { randomUUIDv7 } from 'node:crypto';

/** Creates a UUIDv7 (RFC 9562). Ids sort by their creation time. */
export function newId(): string {
  return randomUUIDv7();
}

/**
 * Returns an id that sorts after all ids created before a time (UTC milliseconds) and before all
 * others.
 */
export function idFloor(milliseconds: number): string {
  const time = milliseconds.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
