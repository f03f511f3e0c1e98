/** URL of the update feed, from the variable `PARLEY_UPDATE_FEED` of the build. Empty if there is none. */
declare const __UPDATE_FEED__: string;
