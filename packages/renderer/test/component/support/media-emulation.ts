import { cdp } from 'vitest/browser';

/** How the page should look. */
export interface DeviceOptions {
  colorScheme?: 'light' | 'dark';
  reducedMotion?: boolean;
  forcedColors?: boolean;
}

/** What the page sees now; undefined if nothing is emulated. */
let emulated: string | undefined;

/** Emulates the settings of a device. Without options, they are those of a light one. */
export async function emulateDevice(options: DeviceOptions = {}): Promise<void> {
  const { colorScheme = 'light', reducedMotion = false, forcedColors = false } = options;
  const next = JSON.stringify({ colorScheme, reducedMotion, forcedColors });
  if (next === emulated) return;
  emulated = next;
  await cdp().send('Emulation.setEmulatedMedia', {
    features: [
      { name: 'prefers-color-scheme', value: colorScheme },
      { name: 'prefers-reduced-motion', value: reducedMotion ? 'reduce' : 'no-preference' },
      { name: 'forced-colors', value: forcedColors ? 'active' : 'none' },
    ],
  });
}
