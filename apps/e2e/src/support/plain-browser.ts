import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findBrowser } from '@parley/testing/browser';

/** A tab that is controlled only over its page's DevTools protocol. */
export interface PlainTab {
  /** Starts to load a page. */
  readonly goto: (url: string) => Promise<void>;
  /**
   * Evaluates an expression in the page and resolves to its value, which must be JSON. Resolves to
   * undefined while the page is being replaced.
   */
  readonly evaluate: (expression: string) => Promise<unknown>;
}

/** A browser with its first tab. */
export interface PlainBrowser extends PlainTab {
  readonly openTab: () => Promise<PlainTab>;
  readonly close: () => Promise<void>;
}

interface Target {
  readonly type: string;
  readonly webSocketDebuggerUrl: string;
}

interface CommandResponse {
  readonly id?: number;
  readonly result?: { readonly result?: { readonly value?: unknown } };
}

/** Milliseconds after which a command fails, as a page that is being replaced never responds. */
const RESPONSE_TIMEOUT_MS = 5_000;

/**
 * Opens a browser without Playwright. Playwright pauses each service worker at its start to attach to it,
 * which sometimes makes Chromium block navigation forever after the installation of a worker.
 * @param args arguments of the browser
 */
export async function openPlainBrowser(args: readonly string[]): Promise<PlainBrowser> {
  const executable = findBrowser(process.env);
  if (executable === undefined) throw new Error('no browser');
  const profile = await mkdtemp(join(tmpdir(), 'parley-browser-'));
  const requiredArgs = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const browser = spawn(executable, [...args, ...requiredArgs, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Creates a process group, as the executable may be a script that starts the browser.
    detached: true,
  });
  const exited = once(browser, 'exit');
  const debuggerUrl = `http://127.0.0.1:${await readPort(browser.stderr)}`;
  const targets = (await (await fetch(`${debuggerUrl}/json/list`)).json()) as Target[];
  const first = targets.find(({ type }) => type === 'page');
  if (!first) throw new Error('the browser has no page');
  const sockets: WebSocket[] = [];

  async function connect(target: Target): Promise<PlainTab> {
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    sockets.push(socket);
    await once(socket, 'open');
    return controlTab(socket);
  }

  return {
    ...(await connect(first)),
    openTab: async () => {
      const response = await fetch(`${debuggerUrl}/json/new?about:blank`, { method: 'PUT' });
      return connect((await response.json()) as Target);
    },
    close: async () => {
      for (const socket of sockets) socket.close();
      if (browser.pid !== undefined) process.kill(-browser.pid, 'SIGKILL');
      await exited;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Controls a tab over a connection of the DevTools protocol. */
function controlTab(socket: WebSocket): PlainTab {
  const responses = new Map<number, (response: CommandResponse) => void>();
  socket.addEventListener('message', ({ data }) => {
    const response = JSON.parse(String(data)) as CommandResponse;
    if (response.id !== undefined) responses.get(response.id)?.(response);
  });
  let lastId = 0;

  async function send(method: string, params: object): Promise<CommandResponse> {
    lastId += 1;
    const { promise, resolve } = Promise.withResolvers<CommandResponse>();
    responses.set(lastId, resolve);
    socket.send(JSON.stringify({ id: lastId, method, params }));
    const timer = setTimeout(() => resolve({}), RESPONSE_TIMEOUT_MS);
    return promise.finally(() => clearTimeout(timer));
  }

  return {
    goto: async (url) => {
      await send('Page.navigate', { url });
    },
    evaluate: async (expression) => {
      const options = { expression, awaitPromise: true, returnByValue: true };
      return (await send('Runtime.evaluate', options)).result?.result?.value;
    },
  };
}

async function readPort(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(stderr)) {
    const port = /^DevTools listening on ws:\/\/[^:]+:(\d+)\//.exec(line)?.[1];
    if (port !== undefined) {
      stderr.resume();
      return port;
    }
  }
  throw new Error('the browser did not start');
}
