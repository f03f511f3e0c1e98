import { readBusFlag } from '../system/session-bus.ts';

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
