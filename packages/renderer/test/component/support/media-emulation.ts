import { cdp } from 'vitest/browser';

/** How the device looks and feels to the page. */
export interface DeviceOptions {
  colorScheme?: 'light' | 'dark';
  reducedMotion?: boolean;
  forcedColors?: boolean;
  /** Whether it has a touch screen and no mouse. */
  touch?: boolean;
}

/** What the page sees now; undefined if nothing is emulated. */
let emulated: string | undefined;

/** Emulates a device. Without options, it is a light one with a mouse. */
export async function emulateDevice(options: DeviceOptions = {}): Promise<void> {
  const {
    colorScheme = 'light',
    reducedMotion = false,
    forcedColors = false,
    touch = false,
  } = options;
  const next = JSON.stringify({ colorScheme, reducedMotion, forcedColors, touch });
  if (next === emulated) return;
  emulated = next;
  await cdp().send('Emulation.setEmulatedMedia', {
    features: [
      { name: 'prefers-color-scheme', value: colorScheme },
      { name: 'prefers-reduced-motion', value: reducedMotion ? 'reduce' : 'no-preference' },
      { name: 'forced-colors', value: forcedColors ? 'active' : 'none' },
    ],
  });
  await cdp().send('Emulation.setTouchEmulationEnabled', { enabled: touch, maxTouchPoints: 5 });
}
