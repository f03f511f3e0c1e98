import { app, shell } from 'electron';
import { join } from 'node:path';
import { AT_LOGIN } from './autostart-entry.ts';
import { openAutostartFile } from './autostart-file.ts';

/** The setting that starts the app at login. The system stores it, not the app. */
export interface StartAtLogin {
  /** Whether this installation can start at login. */
  isPossible: boolean;
  get: () => boolean;
  /** @throws if the system refuses the change */
  set: (isOn: boolean) => void;
}

/** Page of the macOS settings for login items. */
const MAC_LOGIN_ITEMS = 'x-apple.systempreferences:com.apple.LoginItems-Settings.extension';
const NOT_POSSIBLE: StartAtLogin = { isPossible: false, get: () => false, set: () => undefined };

/** Returns the setting for a platform. */
export function createStartAtLogin(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
): StartAtLogin {
  // For an app that runs from the sources, the system would start Electron without the app.
  if (!app.isPackaged) return NOT_POSSIBLE;
  if (platform === 'darwin') return { isPossible: true, get: getOnMac, set: setOnMac };
  if (platform === 'win32') return { isPossible: true, get: getOnWindows, set: setOnWindows };
  // Flatpak and Snap have their own configuration folders, where the desktop does not find the entry.
  if (env['FLATPAK_ID'] !== undefined || env['SNAP'] !== undefined) return NOT_POSSIBLE;
  const file = join(app.getPath('appData'), 'autostart', 'parley.desktop');
  const program = env['APPIMAGE'] ?? process.execPath;
  const autostart = openAutostartFile(file, program, app.name);
  return { isPossible: true, get: autostart.isEnabled, set: autostart.setEnabled };
}

/** Returns whether the system started the app at login. */
export function wasStartedAtLogin(platform: NodeJS.Platform): boolean {
  if (platform === 'darwin') return app.getLoginItemSettings().wasOpenedAtLogin;
  return process.argv.includes(AT_LOGIN);
}

function getOnMac(): boolean {
  return app.getLoginItemSettings().openAtLogin;
}

function setOnMac(openAtLogin: boolean): void {
  app.setLoginItemSettings({ openAtLogin });
  const { status } = app.getLoginItemSettings();
  if (!openAtLogin || status === 'enabled') return;
  // A user who has disabled the item in the macOS settings has to enable it there again.
  if (status !== 'requires-approval') throw new Error(`macOS refused the login item: ${status}`);
  void shell.openExternal(MAC_LOGIN_ITEMS);
}

function getOnWindows(): boolean {
  const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings({
    args: [AT_LOGIN],
  });
  // The user may have disabled the entry in the task manager.
  return openAtLogin && executableWillLaunchAtLogin;
}

function setOnWindows(openAtLogin: boolean): void {
  app.setLoginItemSettings({ openAtLogin, args: [AT_LOGIN] });
  if (getOnWindows() !== openAtLogin) throw new Error('Windows refused the login item');
}
