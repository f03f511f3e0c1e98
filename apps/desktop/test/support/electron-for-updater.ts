import { EventEmitter } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { registerHooks } from 'node:module';

/** The part of Electron that electron-updater requires, with requests that really go over the network. */
export interface ElectronForUpdater {
  app: EventEmitter & { isPackaged: boolean };
  /** How often the app was told to quit. */
  quits: number;
  /** Makes requests ask for the credentials of a proxy, as one that wants a login does. */
  hasProxyLogin: boolean;
}

interface RequestOptions {
  protocol: string;
  hostname: string;
  path: string;
  method?: string;
  headers?: Record<string, string>;
}

/** Like Electron's `ClientRequest`: it follows what its listener of `login` decides. */
class FakeRequest extends EventEmitter {
  readonly #request: ClientRequest;
  readonly #asksForLogin: boolean;
  constructor({ path, method, headers }: RequestOptions, port: number, asksForLogin: boolean) {
    super();
    this.#asksForLogin = asksForLogin;
    this.#request = httpRequest({ host: '127.0.0.1', port, path, method, headers });
    this.#request.on('response', (response: IncomingMessage) => this.emit('response', response));
    this.#request.on('error', (error) => this.emit('error', error));
  }
  end(): void {
    if (this.#asksForLogin && this.listenerCount('login') > 0) {
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
 * Makes `require('electron')` give electron-updater a fake. Every host answers from `port` of this machine.
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
