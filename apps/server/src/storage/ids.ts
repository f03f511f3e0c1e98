import { randomUUIDv7 } from 'node:crypto';

/** A new UUIDv7 (RFC 9562): ids that sort by the time they were made. */
export function newId(): string {
  return randomUUIDv7();
}

/** An id that sorts before every id made at a moment or later, and after every one made before it. */
export function idFloor(milliseconds: number): string {
  const time = milliseconds.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
