import type { DesktopBridge } from '@parley/contract';
import { expect, type ElectronApplication, type Page } from 'playwright/test';

/** A notification that the app has shown. */
export interface RecordedNotification {
  title: string;
  body: string;
  silent: boolean;
}

interface FakeDesktop {
  shown: (RecordedNotification & { emit: (name: string, event?: object) => void })[];
  /** The last count on the dock or launcher. On a taskbar, 1 with and 0 without an overlay icon. */
  badge: number;
}

/**
 * Replaces notifications and badges of the app with fakes that record them, as test machines have no
 * desktop.
 */
export async function installFakeDesktop(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ app: main, BrowserWindow, Notification }) => {
    const fakeDesktop: FakeDesktop = { shown: [], badge: 0 };
    Object.assign(globalThis, { fakeDesktop });
    Notification.isSupported = () => true;
    Notification.prototype.show = function show() {
      fakeDesktop.shown.push(this);
      this.emit('show');
    };
    main.setBadgeCount = (count = 0) => {
      fakeDesktop.badge = count;
      return true;
    };
    BrowserWindow.prototype.setOverlayIcon = (picture) => {
      fakeDesktop.badge = picture === null ? 0 : 1;
    };
  });
}

/** Returns the notifications that were shown since `installFakeDesktop`. */
export function getShownNotifications(app: ElectronApplication): Promise<RecordedNotification[]> {
  return app.evaluate(() =>
    (globalThis as unknown as { fakeDesktop: FakeDesktop }).fakeDesktop.shown.map(
      ({ title, body, silent }) => ({
        title,
        body,
        silent,
      }),
    ),
  );
}

/** Clicks the last notification. */
export function clickNotification(app: ElectronApplication): Promise<void> {
  return app.evaluate(() =>
    (globalThis as unknown as { fakeDesktop: FakeDesktop }).fakeDesktop.shown
      .at(-1)
      ?.emit('click', {}),
  );
}

/** Returns the unread count on the icon of the app. */
export function readBadge(app: ElectronApplication): Promise<number> {
  return app.evaluate(
    () => (globalThis as unknown as { fakeDesktop: FakeDesktop }).fakeDesktop.badge,
  );
}

/** Lets the page lose the focus. Playwright makes all pages behave as if they had it. */
export async function stopEmulatingFocus(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
}

/** Returns whether the page can encrypt what it stores, which it cannot on Linux without a keyring. */
export function hasStorageKey(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const { parley } = window as unknown as { parley: DesktopBridge };
    return (await parley.storageKey()) !== null;
  });
}

/** Hides every window, as if the user had closed them to the tray. */
export function hideWindows(app: ElectronApplication): Promise<void> {
  return app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.hide();
  });
}

/** Closes every window, like a click on its close button. */
export function closeWindows(app: ElectronApplication): Promise<void> {
  return app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.close();
  });
}

/** Returns whether any window is visible. */
export function isAnyWindowShown(app: ElectronApplication): Promise<boolean> {
  return app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some((window) => window.isVisible()),
  );
}

/** Crashes the process of the first window's page. Resolves once Electron has reported it. */
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

/** Waits for a text on the first window's page without Playwright, which cannot use a page that has crashed. */
export async function expectPageText(app: ElectronApplication, text: string): Promise<void> {
  await expect
    .poll(
      () =>
        app.evaluate(async ({ BrowserWindow }) => {
          const contents = BrowserWindow.getAllWindows()[0]?.webContents;
          if (contents === undefined || contents.isCrashed() || contents.isLoading()) return '';
          return String(await contents.executeJavaScript('document.body.innerText'));
        }),
      { message: `"${text}" on the page`, timeout: 60_000 },
    )
    .toContain(text);
}
