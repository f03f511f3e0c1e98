import manifest from '../package.json' with { type: 'json' };

/** Parley's version. */
export const VERSION = manifest.version;
