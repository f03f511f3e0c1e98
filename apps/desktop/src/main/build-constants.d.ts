/** Set by the build from `PARLEY_UPDATE_FEED`; empty without an update feed. */
declare const __UPDATE_FEED__: string;
