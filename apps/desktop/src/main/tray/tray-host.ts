import { readBusFlag } from '../system/session-bus.ts';

/**
 * Whether a panel of this Linux desktop shows tray icons right now. Electron cannot tell: its `Tray` is
 * created without an error where nothing shows it. What cannot be found out counts as no.
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
