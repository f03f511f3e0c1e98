import { readBusFlag, readDesktopFlag } from './session-bus.ts';

/** Desktops whose «do not disturb» is a setting that turns notifications off. */
const SETTINGS = [
  { desktop: 'GNOME', schema: 'org.gnome.desktop.notifications', key: 'show-banners' },
  {
    desktop: 'X-CINNAMON',
    schema: 'org.cinnamon.desktop.notifications',
    key: 'display-notifications',
  },
];

/**
 * Whether the user does not want to be disturbed, as far as a Linux desktop tells: by the bus, as KDE
 * does, or by a setting. Electron offers no way to read it. False on macOS and Windows, which mute the
 * sound of notifications themselves.
 * @param desktops value of `XDG_CURRENT_DESKTOP`
 */
export async function isDoNotDisturb(
  platform: NodeJS.Platform,
  desktops: string | undefined,
): Promise<boolean> {
  if (platform !== 'linux') return false;
  const names = new Set(desktops?.toUpperCase().split(':'));
  const settings = SETTINGS.filter(({ desktop }) => names.has(desktop));
  const [isInhibited, ...areShown] = await Promise.all([
    readBusFlag({
      service: 'org.freedesktop.Notifications',
      path: '/org/freedesktop/Notifications',
      interface: 'org.freedesktop.Notifications',
      name: 'Inhibited',
    }),
    ...settings.map(({ schema, key }) => readDesktopFlag(schema, key)),
  ]);
  return isInhibited === true || areShown.includes(false);
}
