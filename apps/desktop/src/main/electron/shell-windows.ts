import { BrowserWindow, session, type Session } from 'electron';
import { SHELL_CHANNELS } from '../../ipc/shell-channels.ts';
import type { ShellStart } from '../../ipc/shell-bridge.ts';
import { listenTo, type PageListener } from '../ipc/listen.ts';
import type { Assets } from '../origin/assets.ts';
import type { Credentials, ProxyQuestion } from '../proxy/proxy-credentials.ts';
import { createShellHandler, SHELL_ORIGIN, SHELL_SCHEME } from '../shell/shell-handler.ts';
import { paths } from './paths.ts';

/** The app's own small windows. */
export interface ShellWindows {
  /** Asks for servers; one window, however often it is asked for. */
  servers: (request: ServersRequest) => void;
  closeServers: () => void;
  /** Asks who the proxy shall think that one is. */
  proxy: (
    title: string,
    start: ShellStart,
    question: ProxyQuestion,
  ) => Promise<Credentials | undefined>;
}

interface ServersRequest {
  title: string;
  start: () => ShellStart;
  serve: (page: PageListener) => void;
  onClosed: () => void;
}

const SIZE = { width: 520, height: 640 } as const;

/** Opens nothing yet. */
export function createShellWindows(assets: Assets): ShellWindows {
  let servers: BrowserWindow | undefined;
  const own = shellSession(assets);

  return {
    servers: ({ title, start, serve, onClosed }) => {
      if (servers !== undefined) {
        servers.show();
        servers.focus();
        return;
      }
      const { window, page } = open(own, 'servers.html', title, start);
      servers = window;
      window.on('closed', () => {
        servers = undefined;
        onClosed();
      });
      serve(page);
    },
    closeServers: () => servers?.close(),
    proxy: (title, start, question) =>
      new Promise((resolve) => {
        const proxy = { host: `${question.host}:${question.port}`, realm: question.realm };
        const { window, page } = open(own, 'proxy.html', title, () => ({ ...start, proxy }));
        window.on('closed', () => resolve(undefined));
        page.hear(SHELL_CHANNELS.answerProxy, 'answerProxy', (credentials) => {
          resolve(credentials);
          window.close();
        });
      }),
  };
}

/** In memory only, and without a network: no server has a part in these windows. */
function shellSession(assets: Assets): Session {
  const own = session.fromPartition('shell');
  own.protocol.handle(SHELL_SCHEME, createShellHandler(assets));
  own.webRequest.onBeforeRequest(({ url }, callback) => {
    callback({ cancel: !url.startsWith(`${SHELL_ORIGIN}/`) && !url.startsWith('devtools:') });
  });
  own.setPermissionCheckHandler(() => false);
  own.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
  return own;
}

function open(own: Session, file: string, title: string, start: () => ShellStart) {
  const window = new BrowserWindow({
    ...SIZE,
    useContentSize: true,
    minWidth: 380,
    minHeight: 420,
    title,
    show: false,
    autoHideMenuBar: true,
    fullscreenable: false,
    webPreferences: {
      session: own,
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
  // The title says which of the app's windows it is; the page has none of its own to add.
  window.on('page-title-updated', (event) => event.preventDefault());
  window.once('ready-to-show', () => window.show());
  const page = listenTo(contents.ipc, SHELL_ORIGIN);
  page.answerSync(SHELL_CHANNELS.start, start);
  void window.loadURL(`${SHELL_ORIGIN}/${file}`).catch(() => undefined);
  return { window, page };
}
