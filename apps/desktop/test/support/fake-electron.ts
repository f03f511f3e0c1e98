import { EventEmitter } from 'node:events';
import { FakeNotification } from './fake-notification.ts';
import { createSessionFetch } from './session-fetch.ts';

/** What the app did to the system around it. */
export const seen = {
  userData: '',
  windows: [] as BrowserWindow[],
  notifications: [] as FakeNotification[],
  sessions: new Map<string, FakeSession>(),
  badge: 0,
  external: [] as string[],
  switches: [] as string[],
  menus: [] as { label?: string; submenu?: unknown }[][],
  isQuit: false,
  isSandboxed: false,
};

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
  isDestroyed = false;
  hasFocus = false;
  constructor(options: Options) {
    super();
    this.options = options;
    seen.windows.push(this);
  }
  static getAllWindows(): BrowserWindow[] {
    return seen.windows.filter((window) => !window.isDestroyed);
  }
  async loadURL(url: string): Promise<void> {
    this.webContents.mainFrame.url = url;
    this.emit('ready-to-show');
  }
  show(): void {
    this.isShown = true;
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
    this.isDestroyed = true;
    this.isShown = false;
    this.emit('closed');
    if (BrowserWindow.getAllWindows().length === 0) app.emit('window-all-closed');
  }
  isVisible = () => this.isShown;
  isMinimized = () => false;
  isMaximized = () => false;
  isFocused = () => this.hasFocus;
  flashFrame = nothing;
  setOverlayIcon = nothing;
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
  webRequest = { onBeforeRequest: nothing };
  cookies = { flushStore: async () => undefined };
  setCertificateVerifyProc = nothing;
  setPermissionCheckHandler = (handler: (...args: unknown[]) => boolean) => {
    this.permission = handler;
  };
  setPermissionRequestHandler = nothing;
  setSpellCheckerEnabled = nothing;
  setSpellCheckerLanguages = nothing;
  clearStorageData = async () => this.net.clear();
  clearCache = async () => undefined;
  clearAuthCache = async () => undefined;
}

class FakeApp extends EventEmitter {
  name = 'Parley';
  isPackaged = false;
  requestSingleInstanceLock = () => true;
  enableSandbox = () => {
    seen.isSandboxed = true;
  };
  whenReady = async () => undefined;
  getPath = () => seen.userData;
  getLocale = () => 'en-US';
  getVersion = () => '0.1.0';
  commandLine = {
    appendSwitch: (name: string, value: string) => seen.switches.push(`${name}=${value}`),
  };
  setBadgeCount = (count: number) => {
    seen.badge = count;
  };
  quit(): void {
    this.emit('before-quit');
    for (const window of BrowserWindow.getAllWindows()) window.close();
    let isPrevented = false;
    this.emit('will-quit', { preventDefault: () => (isPrevented = true) });
    seen.isQuit = !isPrevented;
  }
}

function nothing(): void {
  // The system's side of it cannot be seen here.
}

const image = { addRepresentation: nothing, setTemplateImage: nothing };
const area = { workArea: { x: 0, y: 0, width: 1920, height: 1080 } };

export const app = new FakeApp();
export const protocol = { registerSchemesAsPrivileged: nothing };
export const session = {
  fromPartition: (name: string) => {
    const known = seen.sessions.get(name) ?? new FakeSession();
    seen.sessions.set(name, known);
    return known;
  },
};
export const screen = { getPrimaryDisplay: () => area, getAllDisplays: () => [area] };
export const nativeImage = { createFromDataURL: () => image };
export const nativeTheme = { shouldUseDarkColors: false };
export const shell = { openExternal: async (url: string) => void seen.external.push(url) };
export const clipboard = { writeText: nothing };
export const dialog = { showMessageBox: async () => ({ response: 1 }) };
export const net = {};
export const systemPreferences = { getMediaAccessStatus: () => 'granted' };
export const safeStorage = {
  getSelectedStorageBackend: () => 'basic_text',
  isAsyncEncryptionAvailable: async () => false,
};
export const Menu = {
  buildFromTemplate: (template: (typeof seen.menus)[number]) => template,
  setApplicationMenu: (template: (typeof seen.menus)[number]) => seen.menus.push(template),
};
export class Tray extends EventEmitter {
  setImage = nothing;
  setToolTip = nothing;
  setTitle = nothing;
  setContextMenu = nothing;
}
export class Notification extends FakeNotification {
  constructor(options: ConstructorParameters<typeof FakeNotification>[0]) {
    super(options, 'show');
    seen.notifications.push(this);
  }
  static isSupported = () => true;
}
