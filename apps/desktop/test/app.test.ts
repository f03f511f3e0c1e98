import type { DesktopEvent, DesktopStart } from '@parley/contract';
import { runServer, serverFromSources, type RunningServer } from '@parley/testing';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { app, seen, type BrowserWindow } from './support/fake-electron.ts';

vi.mock('electron', () => import('./support/fake-electron.ts'));

// One life of the built main process, with only Electron played: what it wires is what is tried here.

let server: RunningServer;
beforeAll(async () => {
  seen.userData = await mkdtemp(join(tmpdir(), 'parley-app-'));
  server = await runServer({ PARLEY_RATE_LIMITS: 'false' }, serverFromSources);
  await import(join(import.meta.dirname, '../out/main/boot.js'));
}, 60_000);
afterAll(async () => {
  await server.dispose();
  await rm(seen.userData, { recursive: true, force: true });
});

function windowAt(start: string): BrowserWindow {
  const found = seen.windows.findLast(
    ({ webContents, isDestroyed }) => !isDestroyed && webContents.mainFrame.url.startsWith(start),
  );
  if (found === undefined) throw new Error(`no window at ${start}`);
  return found;
}

/** A message of the page in a window's main frame. */
function from({ webContents }: BrowserWindow) {
  const event = { sender: webContents, senderFrame: webContents.mainFrame, returnValue: undefined };
  return {
    send: (channel: string, ...args: unknown[]) => webContents.ipc.emit(channel, event, ...args),
    ask: async (channel: string, ...args: unknown[]) =>
      webContents.ipc.handlers.get(channel)?.(event, ...args),
    askSync: (channel: string): unknown => {
      webContents.ipc.emit(channel, event);
      return event.returnValue;
    },
  };
}

test('a first start asks for a server, checks it, and opens it', async () => {
  expect(seen.isSandboxed).toBe(true);
  const picker = windowAt('parley-shell://app/servers.html');
  expect(picker.isShown).toBe(true);
  const page = from(picker);
  expect(page.askSync('parley-shell:start')).toEqual({ language: 'en', servers: [] });
  expect(await page.ask('parley-shell:add', { origin: server.url })).toBe(false);
  const { host } = new URL(server.url);
  const result = await page.ask('parley-shell:check', host, undefined);
  expect(result).toMatchObject({ kind: 'found', origin: server.url });
  expect(await page.ask('parley-shell:add', { origin: server.url })).toBe(true);
  expect(picker.isDestroyed).toBe(true);
  expect(seen.isQuit).toBe(false);
  const window = windowAt(server.url);
  expect(window.isShown).toBe(true);
  expect(window.options.webPreferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
  });
});

test('the page gets the bundle, the server behind it, and nothing beside them', async () => {
  const handle = [...seen.sessions.values()].findLast(({ handlers }) => handlers.has('http'));
  const ask = async (url: string, accept = '*/*') =>
    handle?.handlers.get('http')?.(new Request(url, { headers: { accept } }));
  expect(await (await ask(server.url, 'text/html'))?.text()).toContain('<div id="app">');
  expect((await ask(`${server.url}/api/config`))?.status).toBe(200);
  expect((await ask('http://elsewhere.example/'))?.status).toBe(403);
  const details = { isMainFrame: true, mediaType: 'audio' };
  expect(handle?.permission?.(null, 'media', server.url, details)).toBe(true);
  expect(handle?.permission?.(null, 'media', 'https://evil.example', details)).toBe(false);
});

test('a message notifies; its click brings the window forward and opens the room', async () => {
  const window = windowAt(server.url);
  const page = from(window);
  const start = page.askSync('parley:start') as DesktopStart;
  expect(start).toMatchObject({ features: { tray: true }, preferences: { notifications: true } });
  const message = { chatroom: 'room-1', title: 'Alice', body: 'Hello' };
  expect(await page.ask('parley:notify', message)).toBe('off');
  window.hide();
  expect(await page.ask('parley:notify', message)).toBe('shown');
  page.send('parley:set-unread', { count: 2 });
  expect(seen.badge).toBe(process.platform === 'win32' ? 0 : 2);

  seen.notifications.at(-1)?.emit('click', {});
  expect([window.isShown, window.hasFocus]).toEqual([true, true]);
  expect(window.webContents.sent).toEqual([]);
  page.send('parley:ready');
  const opened: DesktopEvent = { type: 'open-chat', chatroom: 'room-1' };
  expect(window.webContents.sent).toEqual([opened]);
  page.send('parley:set-unread', { count: 0 });
  expect(seen.badge).toBe(0);
  await expect(page.ask('parley:notify', { chatroom: '../x' })).rejects.toThrow('refused');
});

test('links open rooms, and only rooms', async () => {
  const { sent } = windowAt(server.url).webContents;
  app.emit('second-instance', {}, ['parley', 'parley://chat/room-2']);
  await expect.poll(() => sent.at(-1)).toEqual({ type: 'open-chat', chatroom: 'room-2' });
  app.emit('second-instance', {}, ['parley', 'parley://chat/room-3?server=evil.example']);
  app.emit('second-instance', {}, ['parley', 'parley://evil/room-4']);
  expect(sent.at(-1)).toEqual({ type: 'open-chat', chatroom: 'room-2' });
});

test('the page stays where it is; the rest goes to the system or nowhere', () => {
  const { webContents } = windowAt(server.url);
  for (const url of ['https://example.org/', 'file:///etc/passwd', `${server.url}/media/x.png`]) {
    expect(webContents.openHandler({ url })).toEqual({ action: 'deny' });
  }
  expect(seen.external).toEqual(['https://example.org/']);
  expect(webContents.downloads).toEqual([`${server.url}/media/x.png`]);
  const preventDefault = vi.fn<() => void>();
  webContents.emit('will-navigate', { url: `${server.url}/api/docs`, preventDefault });
  webContents.emit('will-navigate', { url: `${server.url}/chatarea`, preventDefault });
  expect(preventDefault).toHaveBeenCalledOnce();
});

test('menus follow the language of the page', () => {
  from(windowAt(server.url)).send('parley:set-language', 'de');
  expect(seen.menus.at(-1)?.map(({ label }) => label)).toContain('Bearbeiten');
});

test('the end leaves everything on the disk', async () => {
  await from(windowAt(server.url)).ask('parley:set-preferences', { closeToTray: true });
  const window = windowAt(server.url);
  window.close();
  expect([window.isDestroyed, window.isShown]).toEqual([false, false]);
  app.quit();
  await expect.poll(() => seen.isQuit).toBe(true);
  const kept: unknown = JSON.parse(await readFile(join(seen.userData, 'settings.json'), 'utf8'));
  expect(kept).toMatchObject({
    servers: [{ origin: server.url, bounds: { x: 10, y: 20, width: 900, height: 700 } }],
    active: server.url,
    language: 'de',
    preferences: { closeToTray: true },
  });
});
