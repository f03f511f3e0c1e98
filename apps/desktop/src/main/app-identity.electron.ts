import { app } from 'electron';
import { join } from 'node:path';

/** Id of the app on Windows. Must equal the `appId` in the installed shortcut, or no notifications appear. */
const APP_ID = 'org.parley.desktop';
/** Id with which Windows starts the app from a notification. Must never change, and equals that in `installer.nsh`. */
export const TOAST_ACTIVATOR = '{5B6F4E0C-7E0B-4C55-9C0E-2D1B6C3A9F41}';

/** The identity of an app that was started from the sources, which leaves the installed app alone. */
const DEVELOPMENT = {
  name: 'Parley Development',
  appId: 'org.parley.desktop.development',
  toastActivator: '{0F2D7C3A-94B1-4E63-8B0D-6A5E1C27D8F4}',
} as const;

/**
 * Sets the name, the data folder and the ids by which the system knows the app. Must be called before the lock of
 * the first instance is requested, which belongs to the data folder.
 */
export function setIdentity(platform: NodeJS.Platform): void {
  const { isPackaged } = app;
  if (!isPackaged) {
    app.setName(DEVELOPMENT.name);
    // Tests choose a folder of their own.
    if (!app.commandLine.hasSwitch('user-data-dir')) {
      app.setPath('userData', join(app.getPath('appData'), DEVELOPMENT.name));
    }
  }
  if (platform !== 'win32') return;
  app.setAppUserModelId(isPackaged ? APP_ID : DEVELOPMENT.appId);
  app.setToastActivatorCLSID(isPackaged ? TOAST_ACTIVATOR : DEVELOPMENT.toastActivator);
}
