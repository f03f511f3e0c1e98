import { readBusFlag } from '../system/session-bus.ts';

/**
 * Resolves to whether a panel of this Linux desktop shows tray icons. Electron's `Tray` reports no error
 * where nothing shows it. If the desktop cannot be asked, the result is false.
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
