import { EventEmitter } from 'node:events';
import { FakeClientRequest } from './fake-client-request.ts';
import { FakeNotification } from './fake-notification.ts';
import { createSessionFetch } from './session-fetch.ts';

interface FakeItem {
  label?: string;
  role?: string;
  type?: string;
  accelerator?: string;
  submenu?: FakeItem[];
  click?: () => void;
}

/** The roles that the app uses, of those in `lib/browser/api/menu-item-roles.ts`. */
const ROLES =
  /^(?:about|close|copy|cut|delete|front|help|hide|hideothers|minimize|paste|pasteandmatchstyle|quit|redo|reload|resetzoom|selectall|services|toggledevtools|togglefullscreen|undo|unhide|window|zoomin|zoomout)$/;

/** Throws for an item that Electron refuses: one without a label, of an unknown role or type, or with a wrong shortcut. */
function checkItem(item: FakeItem): void {
  const { label, role, type, accelerator, submenu } = item;
  const text = JSON.stringify(item);
  if (role !== undefined && !ROLES.test(role.toLowerCase())) throw new Error(`role: ${text}`);
  if (type !== undefined && !/^(?:separator|checkbox|radio|submenu|normal)$/.test(type)) {
    throw new Error(`Unknown menu item type: ${type}`);
  }
  if (label === undefined && role === undefined && type !== 'separator') {
    throw new TypeError(
      'Invalid template for MenuItem: must have at least one of label, role or type',
    );
  }
  const keys = accelerator?.split('+') ?? [];
  const isKnown = keys.every((key) =>
    /^(?:CmdOrCtrl|Cmd|Ctrl|Alt|Shift|Left|Right|numadd|numsub|num\d|[A-Z\d=[\],])$/.test(key),
  );
  if (!isKnown) throw new TypeError(`Invalid accelerator: ${accelerator}`);
  submenu?.forEach(checkItem);
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
  /** The work area of the only screen. */
  workArea: { x: 0, y: 0, width: 1920, height: 1080 },
  /** Whether preloads run. */
  hasPreloads: true,
  shownFiles: [] as string[],
  /** Whether Windows would tell this run about clicks on notifications of an earlier one. */
  isActivatorRegistered: false,
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

/** Throws for a destroyed window or page, as most members of the real ones do. */
function assertExists({ isGone }: { isGone: boolean }): void {
  if (isGone) throw new TypeError('Object has been destroyed');
}

class FakeIpc extends EventEmitter {
  readonly handlers = new Map<string, (...args: unknown[]) => unknown>();
  handle(channel: string, handler: (...args: unknown[]) => unknown): void {
    if (this.handlers.has(channel)) {
      throw new Error(`Attempted to register a second handler for '${channel}'`);
    }
    this.handlers.set(channel, handler);
  }
}

class FakeContents extends EventEmitter {
  isGone = false;
  readonly ipc = new FakeIpc();
  /** The events that the page was sent, without the progress of uploads, which slow ones report. */
  readonly sent: unknown[] = [];
  readonly mainFrame = { url: '' };
  openHandler: (details: { url: string }) => { action: string } = () => ({ action: 'allow' });
  /** Steps in the history, such as -1 for back. */
  readonly steps: number[] = [];
  readonly navigationHistory = {
    goBack: () => void this.steps.push(-1),
    goForward: () => void this.steps.push(1),
  };
  readonly downloads: string[] = [];
  downloadURL(url: string): void {
    assertExists(this);
    this.downloads.push(url);
  }
  /** Navigates as a link of the page does. Returns whether the app allowed it. */
  navigate(url: string): boolean {
    this.emit('did-start-navigation', { url, isMainFrame: true, isSameDocument: false });
    let isPrevented = false;
    this.emit('will-navigate', { url, preventDefault: () => (isPrevented = true) });
    return !isPrevented;
  }
  /** Reports the end of the process asynchronously, as the real one does. */
  forcefullyCrashRenderer(): void {
    assertExists(this);
    const gone = { reason: 'crashed', exitCode: 2 };
    queueMicrotask(() => this.emit('render-process-gone', {}, gone));
  }
  send(channel: string, payload: unknown): void {
    assertExists(this);
    const copy: unknown = structuredClone(payload);
    if (channel === 'parley:event') this.sent.push(copy);
  }
  setWindowOpenHandler(handler: FakeContents['openHandler']): void {
    assertExists(this);
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
  private isSmall = false;
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
  static getFocusedWindow(): BrowserWindow | null {
    return BrowserWindow.getAllWindows().find(({ hasFocus }) => hasFocus) ?? null;
  }
  async loadURL(url: string): Promise<void> {
    assertExists(this);
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
    assertExists(this);
    this.isShown = true;
    setTimeout(() => (this.hasButton = this.isShown), 100).unref();
    this.emit('show');
  }
  hide(): void {
    assertExists(this);
    this.isShown = false;
    this.hasFocus = false;
    this.hasButton = false;
    this.overlay = '';
    this.emit('hide');
  }
  focus(): void {
    assertExists(this);
    this.hasFocus = true;
    this.emit('focus');
  }
  /** Emits `close` at once, but closes only after the page was asked, which takes a message to its process. */
  close(): void {
    assertExists(this);
    let isPrevented = false;
    this.emit('close', { preventDefault: () => (isPrevented = true) });
    if (isPrevented) app.cancelQuit();
    else setImmediate(() => this.destroy());
  }
  destroy(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.webContents.isGone = true;
    this.isShown = false;
    this.emit('closed');
    if (BrowserWindow.getAllWindows().length === 0) app.handleLastClosed();
  }
  isDestroyed = () => this.isGone;
  isVisible = () => this.read(this.isShown);
  isMinimized = () => this.read(this.isSmall);
  isMaximized = () => this.read(this.isLarge);
  isFullScreen = () => this.read(this.isFull);
  private read(isSo: boolean): boolean {
    assertExists(this);
    return isSo;
  }
  /** Minimizes the window. It stays visible, but loses the focus. */
  minimize(): void {
    assertExists(this);
    this.isSmall = true;
    this.hasFocus = false;
    this.emit('minimize');
  }
  restore(): void {
    assertExists(this);
    this.isSmall = false;
    this.emit('restore');
  }
  maximize(): void {
    assertExists(this);
    this.isLarge = true;
    this.emit('maximize');
  }
  unmaximize(): void {
    assertExists(this);
    this.isLarge = false;
    this.emit('unmaximize');
  }
  /** Takes effect asynchronously, as on macOS. */
  setFullScreen(isFull: boolean): void {
    assertExists(this);
    setTimeout(() => {
      if (this.isGone) return;
      this.isFull = isFull;
      this.emit(isFull ? 'enter-full-screen' : 'leave-full-screen');
    });
  }
  isFocused = () => this.read(this.hasFocus);
  flashFrame = () => assertExists(this);
  /** Whether the taskbar has a button of the window, as it does a moment after the window was shown. */
  private hasButton = false;
  /** Description of the icon on the button. */
  overlay = '';
  setOverlayIcon(_icon: unknown, description: string): void {
    assertExists(this);
    this.overlay = this.hasButton ? description : '';
  }
  private bounds = { x: 10, y: 20, width: 900, height: 700 };
  getNormalBounds = () => {
    assertExists(this);
    return this.bounds;
  };
  setSize(width: number, height: number): void {
    assertExists(this);
    this.bounds = { ...this.bounds, width, height };
  }
  center(): void {
    assertExists(this);
    const { x, y, width, height } = recorded.workArea;
    const { width: own, height: high } = this.bounds;
    const at = { x: x + (width - own) / 2, y: y + (height - high) / 2 };
    this.bounds = { ...this.bounds, ...at };
  }
}

export class FakeSession {
  readonly handlers = new Map<string, (request: Request) => Promise<Response>>();
  readonly net = createSessionFetch();
  readonly fetch = this.net.fetch;
  permission: ((...args: unknown[]) => boolean) | undefined;
  permissionRequest:
    | ((
        contents: null,
        name: string,
        callback: (isGranted: boolean) => void,
        details: object,
      ) => void)
    | undefined;
  /** Decides about requests that no protocol handler serves. */
  beforeRequest:
    | ((details: { url: string }, callback: (response: { cancel: boolean }) => void) => void)
    | undefined;
  availableSpellCheckerLanguages = ['de', 'en-US'];
  protocol = {
    handle: (scheme: string, handler: (request: Request) => Promise<Response>) => {
      if (this.handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
      this.handlers.set(scheme, handler);
    },
    unhandle: (scheme: string) => {
      if (!this.handlers.delete(scheme)) throw new Error(`Failed to unhandle protocol: ${scheme}`);
    },
    isProtocolHandled: this.handlers.has.bind(this.handlers),
  };
  webRequest = {
    onBeforeRequest: (handler: FakeSession['beforeRequest']) => {
      this.beforeRequest = handler;
    },
  };
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
  setPermissionRequestHandler = (handler: FakeSession['permissionRequest']) => {
    this.permissionRequest = handler;
  };
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
  readonly setPaths = new Map<string, string>();
  readonly identity: Record<string, string> = {};
  getPath = (name: string) => this.setPaths.get(name) ?? recorded.userData;
  setPath = (name: string, path: string) => {
    this.setPaths.set(name, path);
  };
  setName = (name: string) => {
    this.identity['name'] = name;
  };
  setAppUserModelId = (id: string) => {
    this.identity['appId'] = id;
  };
  setToastActivatorCLSID = (id: string) => {
    this.identity['toastActivator'] = id;
  };
  // The locale is empty until Chromium has started.
  getLocale = () => (isReady ? 'en-US' : '');
  getVersion = () => '0.1.0';
  commandLine = {
    // Tests start the app with a data folder of their own.
    hasSwitch: (name: string) => name === 'user-data-dir',
    // The real call has no effect after `ready`, as Chromium has read its switches by then.
    appendSwitch: (name: string, value: string) => {
      if (!isReady) recorded.switches.push(`${name}=${value}`);
    },
  };
  setBadgeCount = (count: number) => {
    recorded.badge = count;
  };
  /** Asks the windows to close. Quits once the last one has closed. */
  quit(): void {
    this.emit('before-quit');
    this.isQuitting = true;
    const windows = BrowserWindow.getAllWindows();
    for (const window of windows) window.close();
    if (windows.length === 0) this.handleLastClosed();
  }
  /** A window that refuses to close cancels quitting. */
  cancelQuit(): void {
    this.isQuitting = false;
  }
  /** Emits `will-quit` while quitting, and `window-all-closed` otherwise. */
  handleLastClosed(): void {
    if (recorded.isQuit) return;
    if (!this.isQuitting) {
      this.emit('window-all-closed');
      return;
    }
    let isPrevented = false;
    this.emit('will-quit', { preventDefault: () => (isPrevented = true) });
    this.isQuitting = !isPrevented;
    recorded.isQuit = !isPrevented;
  }
  exit(code = 0): void {
    recorded.isQuit = true;
    for (const window of BrowserWindow.getAllWindows()) window.destroy();
    recorded.exitCode = code;
  }
}

function noop(): void {
  // The fake has no system that could react.
}

const image = { addRepresentation: noop, setTemplateImage: noop };

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
  getPrimaryDisplay: () => onScreen({ workArea: recorded.workArea }),
  getAllDisplays: () => onScreen([{ workArea: recorded.workArea }]),
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
  buildFromTemplate: (template: FakeItem[]) => {
    template.forEach(checkItem);
    return template;
  },
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
let onActivation: ((details: object) => void) | undefined;

/** Activates a notification of an earlier run, as Windows does. Lost unless the app is registered for that. */
export function activateNotification(details: object): void {
  if (recorded.isActivatorRegistered) onActivation?.(details);
}

export class Notification extends FakeNotification {
  constructor(options: ConstructorParameters<typeof FakeNotification>[0]) {
    assertReady('Cannot create Notification before app is ready');
    super(options, 'show');
    recorded.notifications.push(this);
  }
  /** Also registers the program that Windows tells about clicks on notifications of an earlier run. */
  static isSupported = () => {
    recorded.isActivatorRegistered = true;
    return true;
  };
  static getHistory = async () => [];
  static remove = noop;
  static handleActivation = (listener: (details: object) => void) => {
    onActivation = listener;
  };
}
