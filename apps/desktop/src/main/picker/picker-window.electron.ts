import { BrowserWindow, session, type Session } from 'electron';
import type { Texts } from '../../texts/desktop-texts.ts';
import { PICKER_CHANNELS, type PickerStart } from '../../ipc/picker-bridge.ts';
import { listenTo, type PageListener } from '../ipc/listen.ts';
import type { Assets } from '../origin/assets.ts';
import { log } from '../log/log.ts';
import { paths } from '../app-paths.electron.ts';
import { windowIcon } from '../window/window-icon.electron.ts';
import { watchPage } from '../recovery/watch-page.electron.ts';
import { createPickerHandler, PICKER_ORIGIN, PICKER_SCHEME } from './picker-handler.ts';

/** The window of the server picker, which shows no server's page. */
export interface PickerWindow {
  /** Opens the window or brings it to the front. */
  open: (request: PickerRequest) => void;
  close: () => void;
}

interface PickerRequest {
  /** Returns the page's initial values. A window that is already open reloads if they contain an address. */
  start: () => PickerStart;
  /** Registers the handlers of a new window's messages. */
  registerHandlers: (page: PageListener) => void;
  onClosed: () => void;
}

const SIZE = { width: 520, height: 640 } as const;

/** Creates the picker without opening its window. */
export function createPickerWindow(assets: Assets, texts: () => Texts): PickerWindow {
  let opened: ReturnType<typeof createWindow> | undefined;
  let start: () => PickerStart;
  const pickerSession = createPickerSession(assets);

  return {
    open: (request) => {
      start = request.start;
      if (opened !== undefined) {
        if (start().address !== undefined) opened.load();
        opened.window.show();
        opened.window.focus();
        return;
      }
      opened = createWindow(pickerSession, texts, () => start());
      opened.window.on('closed', () => {
        opened = undefined;
        request.onClosed();
      });
      request.registerHandlers(opened.page);
      opened.load();
    },
    close: () => opened?.window.close(),
  };
}

/** Creates a session in memory and without network access, as the picker's page is part of the app. */
function createPickerSession(assets: Assets): Session {
  const pickerSession = session.fromPartition('picker');
  pickerSession.protocol.handle(PICKER_SCHEME, createPickerHandler(assets));
  pickerSession.webRequest.onBeforeRequest(({ url }, callback) => {
    callback({ cancel: !url.startsWith(`${PICKER_ORIGIN}/`) && !url.startsWith('devtools:') });
  });
  pickerSession.setPermissionCheckHandler(() => false);
  pickerSession.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
  return pickerSession;
}

function createWindow(pickerSession: Session, texts: () => Texts, start: () => PickerStart) {
  const window = new BrowserWindow({
    ...SIZE,
    useContentSize: true,
    minWidth: 380,
    minHeight: 420,
    title: texts().serversTitle,
    show: false,
    ...windowIcon(process.platform),
    autoHideMenuBar: true,
    fullscreenable: false,
    webPreferences: {
      session: pickerSession,
      preload: paths.pickerPreload,
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
    const loading = window.loadURL(`${PICKER_ORIGIN}/picker.html`);
    loading.catch((error: unknown) => log.error('page-not-loaded', error));
  };
  const { markBridgeLoaded } = watchPage(window, {
    texts,
    canNavigateTo: (url) => url.startsWith(`${PICKER_ORIGIN}/`),
    reload: load,
    onGone: () => undefined,
  });
  const page = listenTo(contents.ipc, PICKER_ORIGIN);
  page.handleSync(PICKER_CHANNELS.start, () => {
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
