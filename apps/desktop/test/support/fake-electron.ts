import { EventEmitter } from 'node:events';
import { FakeClientRequest } from './fake-client-request.ts';
import { FakeNotification } from './fake-notification.ts';
import { createSessionFetch } from './session-fetch.ts';

interface FakeItem {
  label?: string;
  role?: string;
  submenu?: FakeItem[];
  click?: () => void;
}

/** Records what the app did, and controls some of the behavior of the fake. */
export const recorded = {
  userData: '',
  windows: [] as BrowserWindow[],
  notifications: [] as FakeNotification[],
  trays: [] as Tray[],
  sessions: new Map<string, FakeSession>(),
  badge: 0,
  external: [] as string[],
  switches: [] as string[],
  menus: [] as FakeItem[][],
  isQuit: false,
  isSandboxed: false,
  exitCode: undefined as number | undefined,
  errorBoxes: [] as { title: string; content: string }[],
  questions: [] as { message: string; detail?: string; signal?: AbortSignal }[],
  /** Index of the button that is chosen in the next dialog. */
  response: 1,
  /** Whether preloads run. */
  hasPreloads: true,
  shownFiles: [] as string[],
};

let isReady = false;
let resolveReady: () => void;
const ready = new Promise<void>((resolve) => {
  resolveReady = resolve;
});

/**
 * Runs the app as Electron does: emits `ready` only once the entry module has been evaluated. Therefore, an entry
 * module that awaits `app.whenReady()` never finishes.
 */
export async function startElectron(evaluateEntry: () => Promise<unknown>): Promise<void> {
  try {
    await evaluateEntry();
  } finally {
    isReady = true;
    app.emit('ready', {}, {});
    resolveReady();
  }
}

/** Throws before `ready`, as the real module does. */
function assertReady(message: string): void {
  if (!isReady) throw new Error(message);
}

/** Throws after `ready`, as the real call does. */
function assertNotReady(message: string): void {
  if (isReady) throw new Error(message);
}

class FakeIpc extends EventEmitter {
  readonly handlers = new Map<string, (...args: unknown[]) => unknown>();
  handle(channel: string, handler: (...args: unknown[]) => unknown): void {
    this.handlers.set(channel, handler);
  }
}

class FakeContents extends EventEmitter {
  readonly ipc = new FakeIpc();
  readonly sent: unknown[] = [];
  readonly mainFrame = { url: '' };
  openHandler: (details: { url: string }) => { action: string } = () => ({ action: 'allow' });
  readonly downloads: string[] = [];
  downloadURL = this.downloads.push.bind(this.downloads);
  /** Navigates as a link of the page does. Returns whether the app allowed it. */
  navigate(url: string): boolean {
    this.emit('did-start-navigation', { url, isMainFrame: true, isSameDocument: false });
    let isPrevented = false;
    this.emit('will-navigate', { url, preventDefault: () => (isPrevented = true) });
    return !isPrevented;
  }
  /** Reports the end of the process asynchronously, as the real one does. */
  forcefullyCrashRenderer(): void {
    const gone = { reason: 'crashed', exitCode: 2 };
    queueMicrotask(() => this.emit('render-process-gone', {}, gone));
  }
  send(_channel: string, payload: unknown): void {
    this.sent.push(structuredClone(payload));
  }
  setWindowOpenHandler(handler: FakeContents['openHandler']): void {
    this.openHandler = handler;
  }
}

type Options = Record<string, unknown> & { webPreferences: Record<string, unknown> };

export class BrowserWindow extends EventEmitter {
  readonly webContents = new FakeContents();
  readonly options: Options;
  isShown = false;
  isGone = false;
  loads = 0;
  hasFocus = false;
  private isLarge = false;
  private isFull = false;
  constructor(options: Options) {
    assertReady('Cannot create BrowserWindow before app is ready');
    super();
    this.options = options;
    recorded.windows.push(this);
  }
  static getAllWindows(): BrowserWindow[] {
    return recorded.windows.filter((window) => !window.isGone);
  }
  async loadURL(url: string): Promise<void> {
    const contents = this.webContents;
    this.loads += 1;
    contents.mainFrame.url = url;
    contents.emit('did-start-navigation', { url, isMainFrame: true, isSameDocument: false });
    await Promise.resolve();
    if (this.isGone) throw new Error('ERR_ABORTED (-3)');
    this.runPreload();
    contents.emit('dom-ready');
    contents.emit('did-stop-loading');
    // Does not paint a hidden window on Linux, like Wayland.
    if (process.platform !== 'linux' || this.isShown) this.emit('ready-to-show');
  }
  /** Sends the first message of the preload. */
  private runPreload(): void {
    if (!recorded.hasPreloads) return;
    const isPicker = String(this.options.webPreferences['preload']).endsWith('picker.cjs');
    const { webContents } = this;
    const event = { sender: webContents, senderFrame: webContents.mainFrame };
    webContents.ipc.emit(isPicker ? 'parley-picker:start' : 'parley:start', event);
  }
  show(): void {
    this.isShown = true;
    this.emit('show');
  }
  hide(): void {
    this.isShown = false;
    this.hasFocus = false;
    this.emit('hide');
  }
  focus(): void {
    this.hasFocus = true;
    this.emit('focus');
  }
  close(): void {
    let isPrevented = false;
    this.emit('close', { preventDefault: () => (isPrevented = true) });
    if (!isPrevented) this.destroy();
  }
  destroy(): void {
    this.isGone = true;
    this.isShown = false;
    this.emit('closed');
    // Omits the event while quitting, as `will-quit` follows immediately.
    if (!app.isQuitting && BrowserWindow.getAllWindows().length === 0) {
      app.emit('window-all-closed');
    }
  }
  isVisible = () => this.isShown;
  isDestroyed = () => this.isGone;
  isMinimized = () => false;
  isMaximized = () => this.isLarge;
  isFullScreen = () => this.isFull;
  maximize(): void {
    this.isLarge = true;
    this.emit('maximize');
  }
  unmaximize(): void {
    this.isLarge = false;
    this.emit('unmaximize');
  }
  /** Takes effect asynchronously, as on macOS. */
  setFullScreen(isFull: boolean): void {
    setTimeout(() => {
      this.isFull = isFull;
      this.emit(isFull ? 'enter-full-screen' : 'leave-full-screen');
    });
  }
  isFocused = () => this.hasFocus;
  flashFrame = noop;
  setOverlayIcon = noop;
  getNormalBounds = () => ({ x: 10, y: 20, width: 900, height: 700 });
}

export class FakeSession {
  readonly handlers = new Map<string, (request: Request) => Promise<Response>>();
  readonly net = createSessionFetch();
  readonly fetch = this.net.fetch;
  permission: ((...args: unknown[]) => boolean) | undefined;
  availableSpellCheckerLanguages = ['de', 'en-US'];
  protocol = {
    handle: this.handlers.set.bind(this.handlers),
    unhandle: this.handlers.delete.bind(this.handlers),
    isProtocolHandled: this.handlers.has.bind(this.handlers),
  };
  webRequest = { onBeforeRequest: noop };
  flushes = 0;
  cookies = {
    flushStore: async () => {
      this.flushes += 1;
    },
  };
  verifyCertificate: ((request: object, callback: (verdict: number) => void) => void) | undefined;
  setCertificateVerifyProc = (proc: FakeSession['verifyCertificate']) => {
    this.verifyCertificate = proc;
  };
  closeAllConnections = async () => undefined;
  setPermissionCheckHandler = (handler: (...args: unknown[]) => boolean) => {
    this.permission = handler;
  };
  setPermissionRequestHandler = noop;
  setSpellCheckerEnabled = noop;
  setSpellCheckerLanguages = noop;
  clearStorageData = async () => this.net.clear();
  clearCache = async () => undefined;
  clearAuthCache = async () => undefined;
}

class FakeApp extends EventEmitter {
  name = 'Parley';
  isPackaged = false;
  isQuitting = false;
  setAsDefaultProtocolClient = () => true;
  requestSingleInstanceLock = () => true;
  enableSandbox = () => {
    assertNotReady('app.enableSandbox() can only be called before app is ready');
    recorded.isSandboxed = true;
  };
  isReady = () => isReady;
  whenReady = () => ready;
  getPath = () => recorded.userData;
  // The locale is empty until Chromium has started.
  getLocale = () => (isReady ? 'en-US' : '');
  getVersion = () => '0.1.0';
  commandLine = {
    // The real call has no effect after `ready`, as Chromium has read its switches by then.
    appendSwitch: (name: string, value: string) => {
      if (!isReady) recorded.switches.push(`${name}=${value}`);
    },
  };
  setBadgeCount = (count: number) => {
    recorded.badge = count;
  };
  quit(): void {
    this.emit('before-quit');
    this.isQuitting = true;
    for (const window of BrowserWindow.getAllWindows()) window.close();
    this.isQuitting = false;
    // A window that refuses to close cancels quitting.
    if (BrowserWindow.getAllWindows().length > 0) return;
    let isPrevented = false;
    this.emit('will-quit', { preventDefault: () => (isPrevented = true) });
    recorded.isQuit = !isPrevented;
  }
  exit(code = 0): void {
    for (const window of BrowserWindow.getAllWindows()) window.destroy();
    recorded.isQuit = true;
    recorded.exitCode = code;
  }
}

function noop(): void {
  // The fake has no system that could react.
}

const image = { addRepresentation: noop, setTemplateImage: noop };
const area = { workArea: { x: 0, y: 0, width: 1920, height: 1080 } };

export const app = new FakeApp();
export const protocol = {
  registerSchemesAsPrivileged: () =>
    assertNotReady('protocol.registerSchemesAsPrivileged should be called before app is ready'),
};
export const session = {
  fromPartition: (name: string) => {
    assertReady('Session can only be received when app is ready');
    const known = recorded.sessions.get(name) ?? new FakeSession();
    recorded.sessions.set(name, known);
    return known;
  },
};
const onScreen = <T>(value: T): T => {
  assertReady("The 'screen' module can't be used before the app 'ready' event");
  return value;
};
export const screen = {
  getPrimaryDisplay: () => onScreen(area),
  getAllDisplays: () => onScreen([area]),
};
export const nativeImage = { createFromDataURL: () => image };
export const nativeTheme = { shouldUseDarkColors: false };
export const shell = {
  openExternal: async (url: string) => void recorded.external.push(url),
  showItemInFolder: (path: string) => void recorded.shownFiles.push(path),
};
export const clipboard = { writeText: async () => undefined };
export const dialog = {
  showMessageBox: async (...args: unknown[]) => {
    assertReady('dialog module can only be used after app is ready');
    recorded.questions.push(args.at(-1) as (typeof recorded.questions)[number]);
    const { response } = recorded;
    recorded.response = 1;
    return { response };
  },
  // The real call is allowed before `ready`, too.
  showErrorBox: (title: string, content: string) =>
    void recorded.errorBoxes.push({ title, content }),
};
export const powerMonitor = new EventEmitter();
powerMonitor.once('newListener', () =>
  assertReady("The 'powerMonitor' module can't be used before the app 'ready' event"),
);
export const net = {
  request: (options: ConstructorParameters<typeof FakeClientRequest>[0]) =>
    new FakeClientRequest(options),
};
export const systemPreferences = { getMediaAccessStatus: () => 'granted' };
export const safeStorage = {
  // Encrypts like Linux without a keyring.
  encryptStringAsync: async (text: string) => Buffer.from(`v10${text}`),
  decryptStringAsync: async (sealed: Buffer) => ({
    result: sealed.toString('utf8', 3),
    shouldReEncrypt: false,
  }),
};
export const Menu = {
  buildFromTemplate: (template: (typeof recorded.menus)[number]) => template,
  setApplicationMenu: (template: (typeof recorded.menus)[number]) => recorded.menus.push(template),
};
export class Tray extends EventEmitter {
  menu: unknown;
  constructor(_image: unknown) {
    assertReady('Cannot create Tray before app is ready');
    super();
    recorded.trays.push(this);
  }
  setImage = noop;
  setToolTip = noop;
  setTitle = noop;
  setContextMenu(menu: unknown): void {
    this.menu = menu;
  }
}
export class Notification extends FakeNotification {
  constructor(options: ConstructorParameters<typeof FakeNotification>[0]) {
    assertReady('Cannot create Notification before app is ready');
    super(options, 'show');
    recorded.notifications.push(this);
  }
  static isSupported = () => true;
  static getHistory = async () => [];
  static remove = noop;
  static handleActivation = noop;
}
