import { readBusFlag } from '../system/session-bus.ts';

/** Milliseconds before each check. At login the panel may start later than the app. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];

/**
 * Resolves to whether a panel of this Linux desktop shows tray icons, as Electron's `Tray` reports no error
 * without one. Resolves to false if the desktop does not respond.
 */
export async function hasTrayHost(): Promise<boolean> {
  const isRegistered = await readBusFlag({
    service: 'org.kde.StatusNotifierWatcher',
    path: '/StatusNotifierWatcher',
    interface: 'org.kde.StatusNotifierWatcher',
    name: 'IsStatusNotifierHostRegistered',
  });
  return isRegistered ?? false;
}

/** Checks repeatedly for half a minute. Resolves to whether there is a usable tray. */
export async function waitForTray(check: () => Promise<boolean>): Promise<boolean> {
  for (const pause of PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (await check()) return true;
  }
  return false;
}
