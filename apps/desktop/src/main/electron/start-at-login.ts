import { app, shell } from 'electron';
import { join } from 'node:path';
import { openAutostartFile } from '../autostart/autostart-file.ts';

/** Whether the system starts the app when its user logs in. The system keeps it, not the app. */
export interface StartAtLogin {
  /** Whether it can be chosen here. */
  isPossible: boolean;
  get: () => boolean;
  /** @throws if the system refuses */
  set: (isOn: boolean) => void;
}

/** Page of the macOS settings where a user allows what starts at login. */
const MAC_LOGIN_ITEMS = 'x-apple.systempreferences:com.apple.LoginItems-Settings.extension';
const NOT_POSSIBLE: StartAtLogin = { isPossible: false, get: () => false, set: () => undefined };

/** Reads and changes it with the means of each system. */
export function createStartAtLogin(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
): StartAtLogin {
  // Started from the sources, it would be Electron itself that starts at login.
  if (!app.isPackaged) return NOT_POSSIBLE;
  if (platform === 'darwin') return { isPossible: true, get: getOnMac, set: setOnMac };
  if (platform === 'win32') return { isPossible: true, get: getOnWindows, set: setOnWindows };
  // Their sandboxes keep autostart entries to themselves, where no desktop sees them.
  if (env['FLATPAK_ID'] !== undefined || env['SNAP'] !== undefined) return NOT_POSSIBLE;
  const file = join(app.getPath('appData'), 'autostart', 'parley.desktop');
  const program = env['APPIMAGE'] ?? process.execPath;
  const autostart = openAutostartFile(file, program, app.name);
  return { isPossible: true, get: autostart.isEnabled, set: autostart.setEnabled };
}

function getOnMac(): boolean {
  return app.getLoginItemSettings().openAtLogin;
}

function setOnMac(openAtLogin: boolean): void {
  app.setLoginItemSettings({ openAtLogin });
  const { status } = app.getLoginItemSettings();
  if (!openAtLogin || status === 'enabled') return;
  // macOS asks nothing: a user who has switched it off there has to switch it on there again.
  if (status !== 'requires-approval') throw new Error(`macOS refused the login item: ${status}`);
  void shell.openExternal(MAC_LOGIN_ITEMS);
}

function getOnWindows(): boolean {
  const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings();
  // The task manager may have switched off what is registered.
  return openAtLogin && executableWillLaunchAtLogin;
}

function setOnWindows(openAtLogin: boolean): void {
  app.setLoginItemSettings({ openAtLogin });
  if (getOnWindows() !== openAtLogin) throw new Error('Windows refused the login item');
}
