import { randomUUIDv7 } from 'node:crypto';

/** A new UUIDv7 (RFC 9562): ids that sort by the time they were made. */
export function newId(): string {
  return randomUUIDv7();
}
