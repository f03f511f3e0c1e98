import { randomInt, randomUUIDv7 } from 'node:crypto';

/** Length of the time in a UUIDv7, and where its last group starts. */
const TIME_LENGTH = 13;
const LAST_GROUP = 24;
/** Maximum distance of two ids of the same millisecond, if the second one would sort before the first. */
const DISTANCE_MAX = 2 ** 24;

/** A string that sorts after every id. */
export const AFTER_ALL_IDS = '~';

let last = '';

/**
 * Creates a UUIDv7 (RFC 9562). Ids sort by their creation time; those of the same process and millisecond
 * sort in the order of their creation (§6.2), unless that would exceed their last group.
 */
export function newId(): string {
  const id = randomUUIDv7();
  const isUnordered = id < last && id.startsWith(last.slice(0, TIME_LENGTH));
  last = isUnordered ? (findSuccessor(last) ?? id) : id;
  return last;
}

function findSuccessor(id: string): string | undefined {
  const next = parseInt(id.slice(LAST_GROUP), 16) + randomInt(1, DISTANCE_MAX);
  if (next >= 2 ** 48) return undefined;
  return id.slice(0, LAST_GROUP) + next.toString(16).padStart(12, '0');
}

/**
 * Returns an id that sorts after all ids created before a time (UTC milliseconds) and before all
 * others.
 */
export function idFloor(milliseconds: number): string {
  const time = milliseconds.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
