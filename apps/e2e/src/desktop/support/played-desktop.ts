import { expect, type ElectronApplication } from 'playwright/test';

/** A notification as the app asked for it. */
export interface ShownNotification {
  title: string;
  body: string;
  silent: boolean;
}

interface Played {
  shown: (ShownNotification & { emit: (name: string, event?: object) => void })[];
  /** What dock or launcher were told last, or 1 and 0 for the picture on a taskbar. */
  badge: number;
}

/**
 * Keeps what the app would show on the desktop instead of showing it: a machine for tests has neither
 * notifications nor a launcher, and nobody who could click there.
 */
export async function playDesktop(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ app: main, BrowserWindow, Notification }) => {
    const played: Played = { shown: [], badge: 0 };
    Object.assign(globalThis, { played });
    Notification.isSupported = () => true;
    Notification.prototype.show = function show() {
      played.shown.push(this);
      this.emit('show');
    };
    main.setBadgeCount = (count = 0) => {
      played.badge = count;
      return true;
    };
    BrowserWindow.prototype.setOverlayIcon = (picture) => {
      played.badge = picture === null ? 0 : 1;
    };
  });
}

/** The notifications that were shown since `playDesktop`. */
export function shownNotifications(app: ElectronApplication): Promise<ShownNotification[]> {
  return app.evaluate(() =>
    (globalThis as unknown as { played: Played }).played.shown.map(({ title, body, silent }) => ({
      title,
      body,
      silent,
    })),
  );
}

/** Clicks the notification that was shown last. */
export function clickNotification(app: ElectronApplication): Promise<void> {
  return app.evaluate(() =>
    (globalThis as unknown as { played: Played }).played.shown.at(-1)?.emit('click', {}),
  );
}

/** What the icon of the app says is unread. */
export function badge(app: ElectronApplication): Promise<number> {
  return app.evaluate(() => (globalThis as unknown as { played: Played }).played.badge);
}

/** Hides every window, as if the user had closed them to the tray. */
export function hideWindows(app: ElectronApplication): Promise<void> {
  return app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.hide();
  });
}

/** Closes every window as a click on its close button does. */
export function closeWindows(app: ElectronApplication): Promise<void> {
  return app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.close();
  });
}

/** Whether any window can be seen. */
export function isAnyWindowShown(app: ElectronApplication): Promise<boolean> {
  return app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some((window) => window.isVisible()),
  );
}

/** Ends the process behind the first window's page, and resolves once Electron has noticed. */
export function crashPage(app: ElectronApplication): Promise<void> {
  return app.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (contents === undefined) throw new Error('no window is open');
    await new Promise<void>((resolve) => {
      contents.once('render-process-gone', () => resolve());
      contents.forcefullyCrashRenderer();
    });
  });
}

/** Waits for a text on the first window's page. Playwright gives up a page for good once it has crashed. */
export async function expectPageText(app: ElectronApplication, text: string): Promise<void> {
  await expect
    .poll(
      () =>
        app.evaluate(async ({ BrowserWindow }) => {
          const contents = BrowserWindow.getAllWindows()[0]?.webContents;
          if (contents === undefined || contents.isCrashed() || contents.isLoading()) return '';
          return String(await contents.executeJavaScript('document.body.innerText'));
        }),
      { message: `«${text}» on the page`, timeout: 60_000 },
    )
    .toContain(text);
}
