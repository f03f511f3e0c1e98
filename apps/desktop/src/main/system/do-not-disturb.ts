import { readBusFlag, readDesktopFlag } from './session-bus.ts';

/** Desktops whose do-not-disturb mode is a setting that turns off notifications. */
const SETTINGS = [
  { desktop: 'GNOME', schema: 'org.gnome.desktop.notifications', key: 'show-banners' },
  {
    desktop: 'X-CINNAMON',
    schema: 'org.cinnamon.desktop.notifications',
    key: 'display-notifications',
  },
];

/**
 * Resolves to whether a Linux desktop is in do-not-disturb mode, which KDE reports on the session bus and others
 * in a setting. Electron has no API for it. False on macOS and Windows, which mute notifications themselves.
 * @param desktops value of `XDG_CURRENT_DESKTOP`
 */
export async function isDoNotDisturb(
  platform: NodeJS.Platform,
  desktops: string | undefined,
): Promise<boolean> {
  if (platform !== 'linux') return false;
  const names = new Set(desktops?.toUpperCase().split(':'));
  const settings = SETTINGS.filter(({ desktop }) => names.has(desktop));
  const [isInhibited, ...shownFlags] = await Promise.all([
    readBusFlag({
      service: 'org.freedesktop.Notifications',
      path: '/org/freedesktop/Notifications',
      interface: 'org.freedesktop.Notifications',
      name: 'Inhibited',
    }),
    ...settings.map(({ schema, key }) => readDesktopFlag(schema, key)),
  ]);
  return isInhibited === true || shownFlags.includes(false);
}
