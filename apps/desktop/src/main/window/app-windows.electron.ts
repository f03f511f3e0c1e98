import type { DesktopEvent } from '@parley/contract';
import { BrowserWindow } from 'electron';
import type { Assets } from '../origin/assets.ts';
import { log } from '../log/log.ts';
import { findActiveServer } from '../settings/server-list.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import { setSpelling } from '../spelling/spelling.ts';
import { openStorageKey, type StorageKey } from '../storage-key/storage-key.ts';
import type { Texts } from '../../texts/desktop-texts.ts';
import { paths } from '../app-paths.electron.ts';
import {
  eraseServer,
  openServerSession,
  saveServer,
  type ServerSession,
} from '../origin/server-session.electron.ts';
import { createSystemVault } from '../storage-key/vault.electron.ts';
import { planClose } from './close-plan.ts';
import { openServerWindow, type ServerWindow } from './server-window.electron.ts';

/** The servers' windows. Each known server has one, visible or hidden, so that its messages arrive. */
export interface AppWindows {
  /** Brings a server's window to the front. Opens it if necessary. */
  show: (origin: string) => ServerWindow;
  /** Returns a server's window. Opens it hidden if necessary. */
  open: (origin: string) => ServerWindow;
  /** Replaces a server's window with a new one after its certificate or media origins have changed. */
  reopen: (origin: string) => ServerWindow;
  find: (origin: string) => ServerWindow | undefined;
  /** Closes a server's window and erases the server's data. */
  remove: (origin: string) => Promise<void>;
  setSpelling: (isOn: boolean) => void;
  /** Sends an event to the page of every server. */
  sendToAll: (event: DesktopEvent) => void;
  /** Installs the certificate checks again, as a new network process has none. */
  reinstallCertificateChecks: () => void;
  /** Returns whether any window of the app is visible, is minimized or is about to appear. */
  isAnyWindowVisible: () => boolean;
  /** Quits the app if no window is visible and the app does not stay in the tray. */
  quitIfNoneVisible: () => void;
  /** Makes windows close instead of hiding. */
  prepareToQuit: () => void;
  /** Writes the cookies of all pages to the disk. Never rejects. */
  save: () => Promise<unknown>;
}

interface AppWindowsDeps {
  settings: SettingsFile;
  assets: Assets;
  texts: () => Texts;
  hasTray: () => boolean;
  /** Checks again whether the tray can show hidden windows. */
  checkTray: () => Promise<boolean>;
  /** Called when a server's window has closed, to withdraw its notifications and badge. */
  onGone: (origin: string) => void;
  serve: (page: ServerWindow & ServerSession) => void;
  onActive: (origin: string) => void;
  /** Called when a server's window was shown. */
  onShown: (origin: string) => void;
}

type OpenWindow = ServerWindow & ServerSession;

/** Creates the app's windows without opening one. */
export function createAppWindows(deps: AppWindowsDeps): AppWindows {
  const { settings } = deps;
  const vault = createSystemVault(process.platform);
  const openWindows = new Map<string, OpenWindow>();
  /** The key of each server that was opened. It outlives the window, as a new page requests it again. */
  const storageKeys = new Map<string, StorageKey>();
  const quitting = createQuitPolicy(deps, openWindows);

  function storageKeyOf(origin: string): StorageKey {
    const storageKey = storageKeys.get(origin) ?? openStorageKey(paths.storageKey(origin), vault);
    storageKeys.set(origin, storageKey);
    return storageKey;
  }

  function create(origin: string): OpenWindow {
    const serverSession = openServerSession(origin, {
      settings,
      assets: deps.assets,
      storageKey: storageKeyOf(origin),
      onCertificate: (isRefused) => {
        log.warn('certificate', { isRefused });
        openWindows.get(origin)?.events.send({ type: 'certificate', isRefused });
      },
      onUploadProgress: (...progress) => openWindows.get(origin)?.sendUploadProgress(...progress),
    });
    const page = openServerWindow(origin, {
      session: serverSession.session,
      settings,
      texts: deps.texts,
      shouldHide: quitting.shouldHide,
      onFocus: () => deps.onActive(origin),
      onPageGone: serverSession.uploads.cancelAll,
      onHidden: () => void quitting.quitUnlessTrayIsUsable(),
    });
    page.window.on('show', () => deps.onShown(origin));
    const opened: OpenWindow = { ...page, ...serverSession };
    page.window.on('closed', () => {
      serverSession.uploads.cancelAll();
      if (openWindows.get(origin) !== opened) return;
      openWindows.delete(origin);
      deps.onGone(origin);
      // Otherwise, hidden windows of other servers would keep the app running without a visible window.
      if (!quitting.isAnyWindowVisible(page.window)) quitting.quit();
    });
    openWindows.set(origin, opened);
    deps.serve(opened);
    // The preload sends its first message immediately, so the page is loaded after its listener is registered.
    page.load();
    return opened;
  }

  function open(origin: string): OpenWindow {
    return openWindows.get(origin) ?? create(origin);
  }

  return {
    open,
    find: (origin) => openWindows.get(origin),
    show: (origin) => {
      const page = open(origin);
      page.show();
      return page;
    },
    reopen: (origin) => {
      const before = openWindows.get(origin);
      if (before !== undefined) deps.onGone(origin);
      const page = create(origin);
      // Closes the old window last, as an app without any window quits.
      before?.window.destroy();
      return page;
    },
    remove: async (origin) => {
      openWindows.get(origin)?.window.destroy();
      const storageKey = storageKeyOf(origin);
      storageKeys.delete(origin);
      await eraseServer(origin, storageKey);
    },
    setSpelling: (isOn) => {
      for (const { session } of openWindows.values()) setSpelling(session, isOn, process.platform);
    },
    sendToAll: (event) => {
      for (const { events } of openWindows.values()) events.send(event);
    },
    reinstallCertificateChecks: () => {
      for (const { certificate } of openWindows.values()) certificate.install();
    },
    isAnyWindowVisible: () => quitting.isAnyWindowVisible(),
    quitIfNoneVisible: quitting.quitIfNoneVisible,
    prepareToQuit: quitting.prepareToQuit,
    save: () => Promise.allSettled([...storageKeys.keys()].map(saveServer)),
  };
}

/** Decides whether a closed window is only hidden, and quits the app once no window can be shown. */
interface QuitPolicy {
  /** Returns whether closing a window only hides it. */
  shouldHide: (window: BrowserWindow) => boolean;
  /** Returns whether any window but `except` is visible, is minimized or is about to appear. */
  isAnyWindowVisible: (except?: BrowserWindow) => boolean;
  quitIfNoneVisible: () => void;
  /** Checks the tray again if no window is visible, and quits if the tray cannot show one. */
  quitUnlessTrayIsUsable: () => Promise<void>;
  /** Closes all windows, which quits the app. Does nothing on macOS. */
  quit: () => void;
  prepareToQuit: () => void;
}

function createQuitPolicy(
  { settings, hasTray, checkTray }: AppWindowsDeps,
  openWindows: ReadonlyMap<string, OpenWindow>,
): QuitPolicy {
  let isQuitting = false;

  function isAnyWindowVisible(except?: BrowserWindow): boolean {
    const hideable = new Set([...openWindows.values()].map(({ window }) => window));
    return BrowserWindow.getAllWindows().some(
      (window) =>
        window !== except && (window.isVisible() || window.isMinimized() || !hideable.has(window)),
    );
  }

  function quit(): void {
    // On macOS, the app keeps running without windows, and a click on its dock icon shows one again.
    if (isQuitting || process.platform === 'darwin') return;
    isQuitting = true;
    for (const { window } of openWindows.values()) window.close();
  }

  function quitIfNoneVisible(): void {
    const { closeToTray, startHidden } = settings.get().preferences;
    const staysInTray = hasTray() && (closeToTray || startHidden);
    if (!staysInTray && !isAnyWindowVisible()) quit();
  }

  return {
    shouldHide: (window) => {
      const plan = planClose({
        platform: process.platform,
        isQuitting,
        hasTray: hasTray(),
        closeToTray: settings.get().preferences.closeToTray,
        hasVisibleOthers: isAnyWindowVisible(window),
      });
      return plan === 'hide';
    },
    isAnyWindowVisible,
    quitIfNoneVisible,
    quitUnlessTrayIsUsable: async () => {
      if (!isAnyWindowVisible() && !(await checkTray())) quitIfNoneVisible();
    },
    quit,
    prepareToQuit: () => {
      isQuitting = true;
    },
  };
}

/** Opens every known server; the active one is shown unless the app starts hidden. */
export function openKnownServers(
  windows: AppWindows,
  settings: SettingsFile,
  isHidden: boolean,
): void {
  const front = findActiveServer(settings.get())?.origin;
  if (front === undefined) return;
  if (isHidden) windows.open(front);
  else windows.show(front);
  for (const { origin } of settings.get().servers) windows.open(origin);
}
