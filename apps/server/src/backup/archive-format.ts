import { isMediaFile } from '../media/media-url.ts';

// A backup is a plain tar archive. Its last entry has a SHA-256 sum for each of the others, in the
// form of `sha256sum`, so that it can also be unpacked and checked by hand.

/** Facts about a backup, as JSON. */
export const MANIFEST = 'manifest.json';
/** Name of the database in an archive. */
export const DATABASE = 'parley.db';
/** Name of the list of SHA-256 sums in an archive. */
export const SUMS = 'SHA256SUMS';
const MEDIA = 'media/';
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** What {@link MANIFEST} holds. */
export interface Manifest {
  /** Of the archive. */
  readonly format: 1;
  readonly product: 'parley';
  readonly version: string;
  /** Newest step of the database's schema. */
  readonly schema: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** The entry of an upload's file. */
export function mediaEntry(file: string): string {
  return MEDIA + file;
}

/** The file that an entry is of; undefined if it is no upload's entry. */
export function mediaOfEntry(name: string): string | undefined {
  const file = name.slice(MEDIA.length);
  return name.startsWith(MEDIA) && isMediaFile(file) ? file : undefined;
}

/** Writes {@link SUMS}. */
export function formatSums(sums: ReadonlyMap<string, string>): string {
  return Array.from(sums, ([name, sum]) => `${sum}  ${name}\n`).join('');
}

/** Reads {@link SUMS}; undefined if it is not in that form. */
export function parseSums(text: string): Map<string, string> | undefined {
  const sums = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, sum, name] = /^([0-9a-f]{64}) {2}([\w./-]+)$/.exec(line) ?? [];
    if (sum === undefined || name === undefined) return undefined;
    sums.set(name, sum);
  }
  return sums;
}

/** Reads {@link MANIFEST}; undefined if it is none that this version understands. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const value: Partial<Record<keyof Manifest, unknown>> = JSON.parse(text);
    const { format, product, version, schema, createdAt } = value;
    if (format !== 1 || product !== 'parley') return undefined;
    if (typeof version !== 'string' || typeof schema !== 'string') return undefined;
    // It is shown in a terminal, where a foreign archive is to write nothing but a date.
    if (typeof createdAt !== 'string' || !ISO_TIME.test(createdAt)) return undefined;
    return { format, product, version, schema, createdAt };
  } catch {
    return undefined;
  }
}
