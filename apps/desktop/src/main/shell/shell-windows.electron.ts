import { BrowserWindow, session, type Session } from 'electron';
import type { Texts } from '../../texts/desktop-texts.ts';
import { SHELL_CHANNELS } from '../../ipc/shell-channels.ts';
import type { ShellStart } from '../../ipc/shell-bridge.ts';
import { listenTo, type PageListener } from '../ipc/listen.ts';
import type { Assets } from '../origin/assets.ts';
import { log } from '../log/log.ts';
import { paths } from '../app-paths.electron.ts';
import { watchPage } from '../recovery/watch-page.electron.ts';
import { createShellHandler, SHELL_ORIGIN, SHELL_SCHEME } from './shell-handler.ts';

/** The app's own windows, which show no server's page. */
export interface ShellWindows {
  /** Opens the list of servers or brings it to the front. */
  openServers: (request: ServersRequest) => void;
  closeServers: () => void;
}

interface ServersRequest {
  /** Returns the page's initial values. A window that is already open reloads if they contain an address. */
  start: () => ShellStart;
  /** Registers the handlers of a new window's messages. */
  registerHandlers: (page: PageListener) => void;
  onClosed: () => void;
}

const SIZE = { width: 520, height: 640 } as const;

/** Creates the windows without opening one. */
export function createShellWindows(assets: Assets, texts: () => Texts): ShellWindows {
  let servers: ReturnType<typeof open> | undefined;
  let start: () => ShellStart;
  const shellSession = createShellSession(assets);

  return {
    openServers: (request) => {
      start = request.start;
      if (servers !== undefined) {
        if (start().address !== undefined) servers.load();
        servers.window.show();
        servers.window.focus();
        return;
      }
      const opened = open(shellSession, 'servers.html', texts, () => start());
      servers = opened;
      opened.window.on('closed', () => {
        servers = undefined;
        request.onClosed();
      });
      request.registerHandlers(opened.page);
      opened.load();
    },
    closeServers: () => servers?.window.close(),
  };
}

/** Creates a session in memory and without network access, as these windows need no server. */
function createShellSession(assets: Assets): Session {
  const shellSession = session.fromPartition('shell');
  shellSession.protocol.handle(SHELL_SCHEME, createShellHandler(assets));
  shellSession.webRequest.onBeforeRequest(({ url }, callback) => {
    callback({ cancel: !url.startsWith(`${SHELL_ORIGIN}/`) && !url.startsWith('devtools:') });
  });
  shellSession.setPermissionCheckHandler(() => false);
  shellSession.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
  return shellSession;
}

function open(shellSession: Session, file: string, texts: () => Texts, start: () => ShellStart) {
  const window = new BrowserWindow({
    ...SIZE,
    useContentSize: true,
    minWidth: 380,
    minHeight: 420,
    title: texts().serversTitle,
    show: false,
    autoHideMenuBar: true,
    fullscreenable: false,
    webPreferences: {
      session: shellSession,
      preload: paths.shellPreload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  const contents = window.webContents;
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  // The page's own title would replace the window's.
  window.on('page-title-updated', (event) => event.preventDefault());
  showOnceLoaded(window);
  const load = (): void => {
    const loading = window.loadURL(`${SHELL_ORIGIN}/${file}`);
    loading.catch((error: unknown) => log.error('page-not-loaded', error));
  };
  const { markBridgeLoaded } = watchPage(window, {
    texts,
    canNavigateTo: (url) => url.startsWith(`${SHELL_ORIGIN}/`),
    reload: load,
    onGone: () => undefined,
  });
  const page = listenTo(contents.ipc, SHELL_ORIGIN);
  page.handleSync(SHELL_CHANNELS.start, () => {
    markBridgeLoaded();
    return start();
  });
  return { window, page, load };
}

/** Shows a window once its page has painted, or on Linux once it has loaded. */
function showOnceLoaded(window: BrowserWindow): void {
  const show = (): void => {
    window.off('ready-to-show', show);
    window.webContents.off('did-stop-loading', show);
    window.show();
  };
  window.on('ready-to-show', show);
  // Wayland paints no hidden window, so `ready-to-show` is not emitted there.
  if (process.platform === 'linux') window.webContents.on('did-stop-loading', show);
}
