import { createMemoryServer, type MemoryBrowser, type MemoryServer } from '@parley/memory-server';
import { localeOf, type TestLanguage } from '@parley/texts/translator';
import { vi } from 'vitest';
import { page } from 'vitest/browser';
import type { Host } from '../../../src/host/host.ts';
import { mount } from '../../../src/mount.tsx';
import { refuseRequests, routeRequests, whenConnected } from './api-network.ts';
import { emulateDevice, type DeviceOptions } from './media-emulation.ts';
import { createCuttableBrowser, type CuttableBrowser } from './page-connection.ts';
import { trackPageState } from './page-state.ts';
import { createTestHost, type TestHost } from './test-host.ts';

/** What the app shows in a test, to whom and where. */
export interface AppOptions extends DeviceOptions {
  /** The path of the screen. By default the chat list, or the login page without a user. */
  path?: string;
  /** Name of the signed-in user. Without a name, a guest opens the app. */
  user?: string;
  /** By default a new server. It must have the user. */
  server?: MemoryServer;
  /** Replaces members of the host. */
  host?: Partial<Host>;
  viewport?: { width: number; height: number };
  /** Whether the app may offer notifications above the chat list, which moves the list. */
  offersNotifications?: boolean;
  /** The language of the browser, and of the user on a new server. */
  language?: TestLanguage;
}

/** The app in the page of a test. It is closed after the test. */
export interface OpenApp {
  readonly server: MemoryServer;
  /** The browser with the user's session, whose connection can be cut. */
  readonly browser: CuttableBrowser;
  readonly host: TestHost;
  /**
   * Starts the app again as a reload of the page would, or at another path. Its storage stays.
   * @param whileClosed is done between, while no page is open
   */
  reload: (path?: string, whileClosed?: () => Promise<unknown>) => Promise<void>;
}

let close: (() => Promise<void>) | undefined;

/** Opens the whole app in the page. Resolves once it is shown, for a user with a live connection. */
export async function openApp(options: AppOptions = {}): Promise<OpenApp> {
  const { user, language = 'en', viewport = { width: 1280, height: 800 } } = options;
  const { path = user === undefined ? '/' : '/chatarea' } = options;
  await closeApp();
  await emulateDevice(options);
  await page.viewport(viewport.width, viewport.height);
  const server = options.server ?? createMemoryServer(location.origin);
  if (user !== undefined && !options.server) server.addUser({ username: user, language });
  const browser = createCuttableBrowser(server.openBrowser(user));
  const host = createTestHost(options.host);
  const clearPage = trackPageState();
  const navigatorLanguage = vi.spyOn(navigator, 'language', 'get');
  navigatorLanguage.mockReturnValue(localeOf(language));
  history.replaceState(null, '', path);
  if (options.offersNotifications !== true) {
    localStorage.setItem('parley.notification-offer', JSON.stringify('answered'));
  }
  let unmount = await show(host, browser);
  close = async () => {
    unmount();
    await refuseRequests();
    navigatorLanguage.mockRestore();
    browser.restore();
    vi.useRealTimers();
    await clearPage();
  };
  if (user !== undefined) await whenConnected();
  return {
    server,
    browser,
    host,
    reload: async (nextPath, whileClosed) => {
      unmount();
      await whileClosed?.();
      if (nextPath !== undefined) history.replaceState(null, '', nextPath);
      unmount = await show(host, browser);
    },
  };
}

/** Closes the open app, if there is one, and removes all that it has left in the page. */
export async function closeApp(): Promise<void> {
  await close?.();
  close = undefined;
}

async function show(host: Host, browser: MemoryBrowser): Promise<() => void> {
  routeRequests(browser);
  const element = document.createElement('div');
  element.id = 'app';
  document.body.append(element);
  const unmount = await mount(host, element);
  return () => {
    unmount();
    element.remove();
  };
}
