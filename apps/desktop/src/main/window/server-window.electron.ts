import { app, BrowserWindow, clipboard, Menu, nativeTheme, screen, type Session } from 'electron';
import { CHANNELS } from '../../ipc/channels.ts';
import { createPageEvents, type PageEvents } from '../ipc/page-events.ts';
import { createContextMenu } from '../menu/context-menu.ts';
import { findSavedServer, withBounds } from '../settings/server-list.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import type { Texts } from '../../texts/desktop-texts.ts';
import { isOwnScreen } from '../security/navigation.ts';
import { log } from '../log/log.ts';
import { lockPage } from '../security/lock-page.electron.ts';
import { paths } from '../app-paths.electron.ts';
import { watchPage } from '../recovery/watch-page.electron.ts';
import { MIN_SIZE, getOpeningBounds } from './bounds.ts';
import { windowIcon } from './window-icon.electron.ts';
import { hideWindow, trackBounds } from './window-state.ts';

/** A server's window with its page. */
export interface ServerWindow {
  readonly origin: string;
  readonly window: BrowserWindow;
  readonly events: PageEvents;
  /** Loads the page. Its listener must be registered before. */
  load: () => void;
  /** Records that the page's preload got the initial values of the bridge. */
  markBridgeLoaded: () => void;
  /** Brings the window to the front. Must run within the user's click, or the system refuses the focus. */
  show: () => void;
  /** Sends the share of an upload that was sent, from 0 to 1, to the page. */
  sendUploadProgress: (id: string, share: number) => void;
  /** Returns whether the user can see the window and it has the focus. */
  isInForeground: () => boolean;
}

interface ServerWindowDeps {
  session: Session;
  settings: SettingsFile;
  texts: () => Texts;
  /** Returns whether closing the window only hides it. */
  shouldHide: (window: BrowserWindow) => boolean;
  onFocus: () => void;
  /** Called when the page is gone, such as before it reloads. */
  onPageGone: () => void;
  /** Called when the user closed the window and it was only hidden. */
  onHidden: () => void;
}

/** Creates a server's window, hidden and without its page. */
export function openServerWindow(origin: string, deps: ServerWindowDeps): ServerWindow {
  const saved = findSavedServer(deps.settings.get(), origin)?.bounds;
  const window = new BrowserWindow({
    ...getOpeningBounds(saved, listWorkAreas()),
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    show: false,
    title: app.name,
    // The page's background color, shown until the page has loaded.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#191715' : '#fdfcfb',
    ...windowIcon(process.platform),
    autoHideMenuBar: true,
    webPreferences: {
      session: deps.session,
      preload: paths.serverPreload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: true,
      // Messages have to play their sound after a hidden start, before the user has clicked anything.
      autoplayPolicy: 'no-user-gesture-required',
    },
  });
  const contents = window.webContents;
  const events = createPageEvents((event) => contents.send(CHANNELS.event, event));

  // The page is part of the app, so it loads without the server and shows that it is connecting.
  function load(url = `${origin}/`): void {
    window.loadURL(url).catch((error: unknown) => log.error('page-not-loaded', error));
  }

  lockPage(contents, origin, load);
  const { markBridgeLoaded } = watchPage(window, {
    texts: deps.texts,
    canNavigateTo: (url) => isOwnScreen(url, origin),
    reload: () => load(),
    onGone: () => {
      events.pauseDelivery();
      deps.onPageGone();
    },
  });
  contents.on('context-menu', (_event, clicked) => {
    const items = createContextMenu(clicked, deps.texts(), {
      replaceMisspelling: (word) => contents.replaceMisspelling(word),
      learnWord: (word) => deps.session.addWordToSpellCheckerDictionary(word),
      copyText: (text) => {
        clipboard.writeText(text).catch((error: unknown) => log.error('not-copied', error));
      },
      copyImageAt: (x, y) => contents.copyImageAt(x, y),
      saveImage: (url) => contents.downloadURL(url),
    });
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window });
  });

  trackBounds(window, (bounds) => {
    deps.settings.change((all) => withBounds(all, origin, bounds));
  });
  window.on('close', (event) => {
    if (!deps.shouldHide(window)) return;
    event.preventDefault();
    hideWindow(window);
    deps.onHidden();
  });
  // The buttons of a mouse or keyboard. On Linux, Chromium itself goes back with those of a mouse, in addition to the event.
  window.on('app-command', (_event, command) => {
    if (process.platform !== 'win32') return;
    if (command === 'browser-backward') contents.navigationHistory.goBack();
    if (command === 'browser-forward') contents.navigationHistory.goForward();
  });
  window.on('focus', () => {
    window.flashFrame(false);
    deps.onFocus();
  });

  return {
    origin,
    window,
    events,
    load: () => load(),
    markBridgeLoaded,
    sendUploadProgress: (id, share) => contents.send(CHANNELS.uploadProgress, id, share),
    show: () => {
      if (window.isMinimized()) window.restore();
      if (!window.isVisible()) moveIntoReach(window);
      // Some systems lose this state while a window is hidden.
      const isMaximized = findSavedServer(deps.settings.get(), origin)?.bounds?.maximized;
      if (!window.isVisible() && isMaximized === true) window.maximize();
      window.show();
      window.focus();
    },
    isInForeground: () => window.isVisible() && !window.isMinimized() && window.isFocused(),
  };
}

/** Returns the work areas of the screens, the primary one first. */
function listWorkAreas() {
  const screens = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()];
  return screens.map(({ workArea }) => workArea);
}

/** Centers a hidden window whose screen is gone, as the system only moves visible ones. */
function moveIntoReach(window: BrowserWindow): void {
  const bounds = { ...window.getNormalBounds(), maximized: false };
  const { x, width, height } = getOpeningBounds(bounds, listWorkAreas());
  if (x !== undefined) return;
  window.setSize(width, height);
  window.center();
}
