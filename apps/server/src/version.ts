import manifest from '../package.json' with { type: 'json' };

/** What is known about the sources of a build. */
export interface Build {
  /** The full hash, with `-dirty` if the sources differed from it. */
  readonly commit?: string;
  /** ISO 8601, UTC: the date of the commit. */
  readonly date?: string;
}

/** Replaced by the build scripts. */
declare const PARLEY_BUILD: Build | undefined;

/** The version of Parley. */
export const VERSION = manifest.version;

/** The build that runs. Empty if the sources run directly, which may change at any time. */
export const BUILD: Build = typeof PARLEY_BUILD === 'undefined' ? {} : PARLEY_BUILD;

/** Returns the version and the build as a text, such as `0.1.0 (0123456789ab, 2026-11-28)`. */
export function describeVersion({ commit, date }: Build = BUILD): string {
  const short = commit?.replace(/^([0-9a-f]{12})[0-9a-f]*/, '$1');
  const facts = [short, date?.slice(0, 10)].filter((fact) => fact !== undefined);
  return facts.length === 0 ? VERSION : `${VERSION} (${facts.join(', ')})`;
}
