import { EventEmitter } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { registerHooks } from 'node:module';

/** A fake of the part of Electron that electron-updater requires, with real network requests. */
export interface ElectronForUpdater {
  app: EventEmitter & { isPackaged: boolean };
  /** Number of calls to `app.quit`. */
  quits: number;
  /** Whether requests emit `login`, as with a proxy that requires credentials. */
  hasProxyLogin: boolean;
}

interface RequestOptions {
  protocol: string;
  hostname: string;
  path: string;
  method?: string;
  headers?: Record<string, string>;
}

/** A fake of Electron's `ClientRequest` with its `login` event. */
class FakeRequest extends EventEmitter {
  readonly #request: ClientRequest;
  readonly #requiresLogin: boolean;
  constructor({ path, method, headers }: RequestOptions, port: number, requiresLogin: boolean) {
    super();
    this.#requiresLogin = requiresLogin;
    this.#request = httpRequest({ host: '127.0.0.1', port, path, method, headers });
    this.#request.on('response', (response: IncomingMessage) => this.emit('response', response));
    this.#request.on('error', (error) => this.emit('error', error));
  }
  end(): void {
    if (this.#requiresLogin && this.listenerCount('login') > 0) {
      const cancel = () => this.emit('error', new Error('net::ERR_PROXY_AUTH_REQUESTED'));
      this.emit('login', { isProxy: true }, cancel);
      return;
    }
    this.#request.end();
  }
  abort(): void {
    this.#request.destroy();
  }
}

/**
 * Makes `require('electron')` return a fake to electron-updater. All requests go to `port` of this machine.
 */
export function installElectronForUpdater(
  userData: string,
  port: () => number,
): ElectronForUpdater {
  const app = Object.assign(new EventEmitter(), {
    isPackaged: true,
    getVersion: () => '1.2.0',
    getName: () => 'Parley',
    getPath: () => userData,
    getAppPath: () => userData,
    whenReady: async () => undefined,
    relaunch: () => undefined,
    quit: () => {
      state.quits += 1;
    },
  });
  const state: ElectronForUpdater = { app, quits: 0, hasProxyLogin: false };
  const electron = {
    app,
    autoUpdater: new EventEmitter(),
    session: { fromPartition: () => ({}) },
    net: {
      request: (options: RequestOptions) => new FakeRequest(options, port(), state.hasProxyLogin),
    },
  };
  Object.assign(globalThis, { electronForUpdater: electron });
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'electron'
        ? { url: 'fake:electron', format: 'commonjs', shortCircuit: true }
        : next(specifier, context),
    load: (url, context, next) =>
      url === 'fake:electron'
        ? {
            format: 'commonjs',
            source: 'module.exports = globalThis.electronForUpdater',
            shortCircuit: true,
          }
        : next(url, context),
  });
  return state;
}
