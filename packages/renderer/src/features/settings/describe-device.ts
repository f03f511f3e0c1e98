/** The parts of a `User-Agent` that are shown to users. */
export interface Device {
  browser: string;
  system: string;
  isHandheld: boolean;
}

// The order matters, because the `User-Agent` of most browsers also contains the names of other browsers.
const BROWSERS: readonly [RegExp, string][] = [
  [/Electron\//, 'Parley'],
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** Returns the browser and the system of a `User-Agent`; undefined if either is unknown. */
export function describeDevice(userAgent: string): Device | undefined {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser === undefined || system === undefined) return undefined;
  return { browser, system, isHandheld: /Mobi|iPhone|iPad|Android/.test(userAgent) };
}
