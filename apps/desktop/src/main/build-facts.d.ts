/** Set by the build from `PARLEY_UPDATE_FEED`; empty where nobody announces versions. */
declare const __UPDATE_FEED__: string;
