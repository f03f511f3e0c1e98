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
    const [, sum, name] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? [];
    if (sum === undefined || name === undefined) return undefined;
    sums.set(name, sum);
  }
  return sums;
}

/** Reads {@link MANIFEST}; undefined if it is none that this version understands. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const value: Partial<Record<keyof Manifest, unknown>> = JSON.parse(text);
    const isKnown = value.format === 1 && value.product === 'parley';
    return isKnown && typeof value.schema === 'string' ? (value as Manifest) : undefined;
  } catch {
    return undefined;
  }
}
