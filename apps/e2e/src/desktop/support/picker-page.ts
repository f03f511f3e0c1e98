import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Page } from 'playwright/test';

const OUT = join(import.meta.dirname, '../../../../desktop/out');
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

/** Serves the server picker over HTTP, as browsers do not support its scheme. */
export async function servePicker(): Promise<{ url: string; close: () => void }> {
  const server: Server = createServer((request, reply) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    readFile(join(OUT, 'picker', path))
      .then((body) => reply.writeHead(200, { 'content-type': TYPES[extname(path)] }).end(body))
      .catch(() => reply.writeHead(404).end());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** The results of checks. The key is the address, followed by the trusted fingerprint if there is one. */
export type CheckResults = Record<string, object>;

/** Runs the built preload of the server picker in a page, with a fake main process. Returns its calls. */
export async function withPickerBridge(
  page: Page,
  start: object,
  results: CheckResults,
): Promise<() => Promise<{ channel: string; args: unknown[] }[]>> {
  const code = readFileSync(join(OUT, 'preload/picker.cjs'), 'utf8');
  await page.addInitScript(`(() => {
    const results = ${JSON.stringify(results)};
    window.pickerCalls = [];
    const record = (channel, args) => window.pickerCalls.push({ channel: channel.replace('parley-picker:', ''), args: structuredClone(args) });
    const ipcRenderer = {
      sendSync: () => (${JSON.stringify(start)}),
      send: (channel, ...args) => void record(channel, args),
      invoke: async (channel, ...args) => {
        record(channel, args);
        if (channel.endsWith(':check')) return results[args[1] ? args.join(' ') : args[0]];
        return channel.endsWith(':remove') ? [] : true;
      },
    };
    const require = () => ({ ipcRenderer, contextBridge: { exposeInMainWorld: (key, api) => { window[key] = api; } } });
    (function (require, module, exports) { ${code}\n })(require, { exports: {} }, {});
  })();`);
  return () =>
    page.evaluate(
      () =>
        (window as unknown as { pickerCalls: { channel: string; args: unknown[] }[] }).pickerCalls,
    );
}
