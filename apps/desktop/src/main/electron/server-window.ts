import { app, BrowserWindow, clipboard, Menu, nativeTheme, screen, type Session } from 'electron';
import { CHANNELS } from '../../ipc/channels.ts';
import { createPageEvents, type PageEvents } from '../ipc/page-events.ts';
import { contextMenu } from '../menu/context-menu.ts';
import { findServer, withBounds } from '../servers/server-list.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import type { Texts } from '../texts/texts.ts';
import { MIN_SIZE, openingBounds } from '../window/bounds.ts';
import { lockPage } from './lock-page.ts';
import { paths } from './paths.ts';

/** A server's window with its page. */
export interface ServerWindow {
  readonly origin: string;
  readonly window: BrowserWindow;
  readonly events: PageEvents;
  /** Brings it forward; has to run within the person's click, or the system refuses the focus. */
  show: () => void;
  /** Somebody looks at it. */
  isWatched: () => boolean;
}

interface ServerWindowDeps {
  session: Session;
  settings: SettingsFile;
  texts: () => Texts;
  /** Whether closing only hides it. */
  shallHide: (window: BrowserWindow) => boolean;
  onFocus: () => void;
  onLeft: () => void;
}

/** Milliseconds. */
const CRASH_PAUSE_MS = 30_000;

/** Opens the window of a server, hidden, and loads its page. */
export function openServerWindow(origin: string, deps: ServerWindowDeps): ServerWindow {
  const saved = findServer(deps.settings.get(), origin)?.bounds;
  const areas = [
    screen.getPrimaryDisplay().workArea,
    ...screen.getAllDisplays().map(({ workArea }) => workArea),
  ];
  const window = new BrowserWindow({
    ...openingBounds(saved, areas),
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    show: false,
    title: app.name,
    // The page's own background, until it is there.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#191715' : '#fdfcfb',
    autoHideMenuBar: true,
    webPreferences: {
      session: deps.session,
      preload: paths.serverPreload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: true,
    },
  });
  const contents = window.webContents;
  const events = createPageEvents((event) => contents.send(CHANNELS.event, event));

  // The page itself is in the bundle: it comes up without the server, and says what it waits for.
  function load(): void {
    void window.loadURL(`${origin}/`).catch(() => undefined);
  }

  lockPage(contents, origin);
  // A frame of the page going elsewhere, or another screen of it, changes nothing for the listener.
  contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) events.gone();
  });
  let lastCrash = 0;
  contents.on('render-process-gone', (_event, { reason }) => {
    events.gone();
    const isRepeated = Date.now() - lastCrash < CRASH_PAUSE_MS;
    lastCrash = Date.now();
    // A page that crashes again at once is left to the person: the menu has «Reload».
    if (reason !== 'clean-exit' && !isRepeated) load();
  });
  contents.on('context-menu', (_event, clicked) => {
    const items = contextMenu(clicked, deps.texts(), {
      replaceMisspelling: (word) => contents.replaceMisspelling(word),
      learnWord: (word) => deps.session.addWordToSpellCheckerDictionary(word),
      copyText: (text) => clipboard.writeText(text),
      copyImageAt: (x, y) => contents.copyImageAt(x, y),
      saveImage: (url) => contents.downloadURL(url),
    });
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window });
  });

  window.on('close', (event) => {
    const maximized = window.isMaximized();
    const bounds = { ...window.getNormalBounds(), maximized };
    deps.settings.change((all) => withBounds(all, origin, bounds));
    if (!deps.shallHide(window)) return;
    event.preventDefault();
    window.hide();
  });
  window.on('focus', () => {
    window.flashFrame(false);
    deps.onFocus();
  });
  window.on('blur', deps.onLeft);
  window.on('hide', deps.onLeft);

  load();
  return {
    origin,
    window,
    events,
    show: () => {
      if (window.isMinimized()) window.restore();
      if (!window.isVisible() && saved?.maximized === true) window.maximize();
      window.show();
      window.focus();
    },
    isWatched: () => window.isVisible() && !window.isMinimized() && window.isFocused(),
  };
}
