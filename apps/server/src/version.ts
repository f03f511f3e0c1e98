import manifest from '../package.json' with { type: 'json' };

/** Parley's version. */
export const VERSION = manifest.version;

/** Grows when a client of an older version could no longer work. */
export const API_VERSION = 1;
