import { isMediaFile } from '../media-store/media-file-name.ts';

// A backup is a plain tar archive. Its last entry lists the SHA-256 checksum of each other entry in the
// format of `sha256sum`, so that a backup can also be unpacked and verified by hand.

/** Name of the JSON file that describes a backup. */
export const MANIFEST = 'manifest.json';
/** Name of the database in an archive. */
export const DATABASE = 'parley.db';
/** Name of the list of SHA-256 checksums in an archive. */
export const SUMS = 'SHA256SUMS';
const MEDIA = 'media/';
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Content of {@link MANIFEST}. */
export interface Manifest {
  /** Version of the archive format. */
  readonly format: 1;
  readonly product: 'parley';
  readonly version: string;
  /** Name of the newest migration in the database. */
  readonly schema: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** Returns the name of an upload's entry. */
export function mediaEntry(file: string): string {
  return MEDIA + file;
}

/** Returns the file of an upload's entry, or undefined if the entry is not an upload. */
export function mediaOfEntry(name: string): string | undefined {
  const file = name.slice(MEDIA.length);
  return name.startsWith(MEDIA) && isMediaFile(file) ? file : undefined;
}

/** Formats {@link SUMS}. */
export function formatSums(sums: ReadonlyMap<string, string>): string {
  return Array.from(sums, ([name, sum]) => `${sum}  ${name}\n`).join('');
}

/** Parses {@link SUMS}. Returns undefined if it is malformed. */
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

/** Parses {@link MANIFEST}. Returns undefined if this version does not understand it. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const value: Partial<Record<keyof Manifest, unknown>> = JSON.parse(text);
    const { format, product, version, schema, createdAt } = value;
    if (format !== 1 || product !== 'parley') return undefined;
    if (typeof version !== 'string' || typeof schema !== 'string') return undefined;
    // The time is printed to a terminal, so an untrusted archive must not be able to inject anything.
    if (typeof createdAt !== 'string' || !ISO_TIME.test(createdAt)) return undefined;
    return { format, product, version, schema, createdAt };
  } catch {
    return undefined;
  }
}
