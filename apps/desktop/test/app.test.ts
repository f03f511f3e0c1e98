import { UPLOAD_ID_HEADER, type DesktopEvent, type DesktopStart } from '@parley/contract';
import { runServer, serverFromSources, type RunningServer } from '@parley/testing';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import {
  app,
  powerMonitor,
  safeStorage,
  recorded,
  startElectron,
  type BrowserWindow,
  type FakeSession,
} from './support/fake-electron.ts';
import { createFakePage } from './support/fake-page.ts';
import { fakePrograms } from './support/fake-programs.ts';

vi.mock('electron', () => import('./support/fake-electron.ts'));

// One run of the built main process with a fake Electron. The tests depend on each other.

let server: RunningServer;
let restorePrograms: () => Promise<void>;
beforeAll(async () => {
  recorded.userData = await mkdtemp(join(tmpdir(), 'parley-app-'));
  await mkdir(join(recorded.userData, 'last-answers'));
  await writeFile(join(recorded.userData, 'last-answers', 'server'), 'of an earlier version');
  server = await runServer({ PARLEY_RATE_LIMITS: 'false' }, serverFromSources);
  // Fakes a desktop with a panel that shows tray icons.
  restorePrograms = await fakePrograms({ gdbus: 'echo "(<true>,)"' });
  await startElectron(() => import(join(import.meta.dirname, '../out/main/boot.js')));
}, 60_000);
afterAll(async () => {
  await restorePrograms();
  await server.dispose();
  await rm(recorded.userData, { recursive: true, force: true });
});

function windowAt(start: string): BrowserWindow {
  const found = recorded.windows.findLast(
    ({ webContents, isGone }) => !isGone && webContents.mainFrame.url.startsWith(start),
  );
  if (found === undefined) throw new Error(`no window at ${start}`);
  return found;
}

/** Resolves after all pending events. */
const flushEvents = () => new Promise((resolve) => setImmediate(resolve));

test('asks for a server on the first start, checks it and opens it', async () => {
  await expect.poll(() => recorded.windows[0]?.isShown).toBe(true);
  expect(recorded.isSandboxed).toBe(true);
  const picker = windowAt('parley-picker://app/picker.html');
  expect(picker.isShown).toBe(true);
  const page = createFakePage(picker);
  expect(page.sendSync('parley-picker:start')).toEqual({ language: 'en', servers: [] });
  expect(await page.invoke('parley-picker:add', { origin: server.url })).toBe(false);
  const { host } = new URL(server.url);
  const result = await page.invoke('parley-picker:check', host, undefined);
  expect(result).toMatchObject({ kind: 'found', origin: server.url });
  expect(await page.invoke('parley-picker:add', { origin: server.url })).toBe(true);
  await expect.poll(() => picker.isGone).toBe(true);
  expect(recorded.isQuit).toBe(false);
  const window = windowAt(server.url);
  expect(window.isShown).toBe(true);
  expect('icon' in window.options).toBe(process.platform === 'linux');
  expect(window.options.webPreferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
  });
});

test('removes the responses that earlier versions stored', async () => {
  await expect.poll(() => readdir(recorded.userData)).not.toContain('last-answers');
});

test('lets the page load only from the bundle and its server', async () => {
  const handle = [...recorded.sessions.values()].findLast(({ handlers }) => handlers.has('http'));
  const request = async (url: string, accept = '*/*') =>
    handle?.handlers.get('http')?.(new Request(url, { headers: { accept } }));
  expect(await (await request(server.url, 'text/html'))?.text()).toContain('<div id="app">');
  expect((await request(`${server.url}/api/config`))?.status).toBe(200);
  expect((await request('http://elsewhere.example/'))?.status).toBe(403);
  const details = { isMainFrame: true, mediaType: 'audio' };
  expect(handle?.permission?.(null, 'media', server.url, details)).toBe(true);
  expect(handle?.permission?.(null, 'media', 'https://evil.example', details)).toBe(false);
});

test('grants the page the microphone only, and its own window of servers nothing', async () => {
  const ask = (session: FakeSession | undefined, requestingUrl: string, mediaTypes: string[]) =>
    new Promise((resolve) => {
      const details = { requestingUrl, isMainFrame: true, mediaTypes };
      session?.permissionRequest?.(null, 'media', resolve, details);
    });
  const sessions = [...recorded.sessions.values()];
  const page = sessions.findLast(({ handlers }) => handlers.has('http'));
  expect(await ask(page, `${server.url}/`, ['audio'])).toBe(true);
  expect(await ask(page, `${server.url}/`, ['audio', 'video'])).toBe(false);
  expect(await ask(page, 'https://evil.example/', ['audio'])).toBe(false);
  const picker = recorded.sessions.get('picker');
  expect(await ask(picker, 'parley-picker://app/', ['audio'])).toBe(false);
  const request = (url: string) =>
    new Promise((resolve) => {
      picker?.beforeRequest?.({ url }, resolve);
    });
  expect(await request('parley-picker://app/picker.css')).toEqual({ cancel: false });
  expect(await request('https://evil.example/')).toEqual({ cancel: true });
});

test('sends an upload with its progress, and cancels it once the page does or is gone', async () => {
  const window = windowAt(server.url);
  const page = createFakePage(window);
  const session = [...recorded.sessions.values()].findLast(({ handlers }) => handlers.has('http'));
  const upload = (id: string, body: BodyInit) => {
    const headers = { [UPLOAD_ID_HEADER]: id };
    const init: RequestInit & { duplex: string } = {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    };
    const url = `${server.url}/api/upload/image`;
    return session?.handlers.get('http')?.(new Request(url, init));
  };
  expect((await upload('upload-1', new Uint8Array(9)))?.status).toBe(401);
  // Without its end, the body is never sent.
  const endless = () => new ReadableStream({ start: (it) => it.enqueue(new Uint8Array(9)) });
  const canceled = upload('upload-2', endless());
  page.send('parley:end-upload', 'upload-2');
  expect((await canceled)?.type).toBe('error');
  const abandoned = upload('upload-3', endless());
  expect(window.webContents.navigate(`${server.url}/settings`)).toBe(true);
  expect((await abandoned)?.type).toBe('error');
});

test('shows a notification whose click brings the window forward and opens the chatroom', async () => {
  const window = windowAt(server.url);
  const page = createFakePage(window);
  const start = page.sendSync('parley:start') as DesktopStart;
  expect(start).toMatchObject({ features: { tray: true }, preferences: { notifications: true } });
  const message = { chatroom: 'room-1', title: 'Alice', body: 'Hello', silent: false };
  expect(await page.invoke('parley:notify', message)).toBe('off');
  window.hide();
  expect(await page.invoke('parley:notify', message)).toBe('shown');
  const menus = recorded.menus.length;
  page.send('parley:set-unread', { count: 2 });
  expect(recorded.badge).toBe(process.platform === 'win32' ? 0 : 2);
  expect(recorded.menus).toHaveLength(menus);

  recorded.notifications.at(-1)?.emit('click', {});
  expect([window.isShown, window.hasFocus]).toEqual([true, true]);
  expect(window.webContents.sent).toEqual([]);
  page.send('parley:ready');
  const opened: DesktopEvent = { type: 'open-chat', chatroom: 'room-1' };
  expect(window.webContents.sent).toEqual([opened]);
  page.send('parley:set-unread', { count: 0 });
  expect(recorded.badge).toBe(0);
  await expect(page.invoke('parley:notify', { chatroom: '../x' })).rejects.toThrow('refused');
});

test('does not count a minimized window as being in the foreground', async () => {
  const window = windowAt(server.url);
  const page = createFakePage(window);
  const message = { chatroom: 'room-1', title: 'Alice', body: 'Hello', silent: false };
  expect(await page.invoke('parley:notify', message)).toBe('off');
  window.minimize();
  expect(await page.invoke('parley:notify', message)).toBe('shown');
  recorded.notifications.at(-1)?.emit('click', {});
  expect([window.isMinimized(), window.isFocused()]).toEqual([false, true]);
});

test('gives the page a storage key, but none without a keyring', async () => {
  const page = createFakePage(windowAt(server.url));
  const encrypting = vi.spyOn(safeStorage, 'encryptStringAsync');
  encrypting.mockResolvedValueOnce(Buffer.from(`v10${btoa('public password')}`));
  // Only on Linux does the prefix of an encrypted text show that there is no keyring.
  if (process.platform === 'linux') expect(await page.invoke('parley:storage-key')).toBeNull();

  encrypting.mockImplementation(async (text) => Buffer.from(`v11${text}`));
  const key = await page.invoke('parley:storage-key');
  expect(key).toHaveLength(32);
  expect(await page.invoke('parley:storage-key')).toEqual(key);
  const folder = join(recorded.userData, 'storage-keys');
  const files = await readdir(folder);
  expect(files).toEqual([expect.stringMatching(/^[\da-f]{24}$/)]);
  const sealed = await readFile(join(folder, files[0] ?? ''), 'utf8');
  expect(sealed).toMatch(/^v1\d/);
  await expect(page.invoke('parley:storage-key', 'of another server')).rejects.toThrow('refused');
  encrypting.mockRestore();
});

test('withdraws the notifications and the badge of a closed window', async () => {
  const window = windowAt(server.url);
  const page = createFakePage(window);
  window.hide();
  await page.invoke('parley:notify', {
    chatroom: 'room-9',
    title: 'Alice',
    body: 'Gone soon',
    silent: true,
  });
  page.send('parley:set-unread', { count: 3 });
  expect(recorded.notifications.at(-1)?.isOpen).toBe(true);
  // Another window keeps the app running.
  page.send('parley:manage-servers');
  window.destroy();
  expect(recorded.notifications.at(-1)?.isOpen).toBe(false);
  expect(recorded.badge).toBe(0);
  createFakePage(windowAt('parley-picker:')).send('parley-picker:open', server.url);
  await expect.poll(() => windowAt(server.url).isShown).toBe(true);
  await expect.poll(() => recorded.windows.filter(({ isGone }) => !isGone)).toHaveLength(1);
  createFakePage(windowAt(server.url)).send('parley:ready');
});

test('opens a link to a chatroom or message of a known server, and ignores other links', async () => {
  const { sent } = windowAt(server.url).webContents;
  app.emit('second-instance', {}, ['parley', 'parley://chat/room-2']);
  await expect.poll(() => sent.at(-1)).toEqual({ type: 'open-chat', chatroom: 'room-2' });
  const message: DesktopEvent = { type: 'open-chat', chatroom: 'room-2', seq: 7 };
  app.emit('second-instance', {}, ['parley', 'parley://chat/room-2/messages/7']);
  await expect.poll(() => sent.at(-1)).toEqual(message);
  app.emit('second-instance', {}, ['parley', 'parley://chat/room-3?server=evil.example']);
  app.emit('second-instance', {}, ['parley', 'parley://evil/room-4']);
  expect(sent.at(-1)).toEqual(message);
});

test('keeps the page at its origin and opens other addresses outside the app', () => {
  const { webContents } = windowAt(server.url);
  for (const url of ['https://example.org/', 'file:///etc/passwd', `${server.url}/media/x.png`]) {
    expect(webContents.openHandler({ url })).toEqual({ action: 'deny' });
  }
  expect(recorded.external).toEqual(['https://example.org/']);
  expect(webContents.downloads).toEqual([`${server.url}/media/x.png`]);
  expect(webContents.navigate(`${server.url}/api/docs`)).toBe(false);
  expect(webContents.navigate('https://example.org/terms')).toBe(false);
  expect(recorded.external.at(-1)).toBe('https://example.org/terms');
});

test('still sends events to a page whose navigation was prevented', () => {
  const { webContents } = windowAt(server.url);
  expect(webContents.navigate('https://example.org/')).toBe(false);
  powerMonitor.emit('resume');
  expect(webContents.sent.at(-1)).toEqual({ type: 'resume' });
  // A document that replaces the page has to report first that it is ready.
  expect(webContents.navigate(`${server.url}/chatarea`)).toBe(true);
  const before = webContents.sent.length;
  powerMonitor.emit('resume');
  expect(webContents.sent).toHaveLength(before);
  createFakePage(windowAt(server.url)).send('parley:ready');
  expect(webContents.sent).toHaveLength(before + 1);
});

test('opens an invitation to the server in its window', () => {
  const { webContents } = windowAt(server.url);
  webContents.openHandler({ url: `${server.url}/invite#code` });
  expect(webContents.mainFrame.url).toBe(`${server.url}/invite#code`);
});

test('goes back and forward with the menu, and with the buttons of a mouse on Windows', () => {
  const window = windowAt(server.url);
  window.focus();
  const view = recorded.menus.at(-1)?.find(({ label }) => label === 'View')?.submenu;
  view?.find(({ label }) => label === 'Back')?.click?.();
  view?.find(({ label }) => label === 'Forward')?.click?.();
  expect(window.webContents.steps).toEqual([-1, 1]);
  const platform = Object.getOwnPropertyDescriptor(process, 'platform');
  onTestFinished(() => void Object.defineProperty(process, 'platform', platform ?? {}));
  for (const value of ['linux', 'win32']) {
    Object.defineProperty(process, 'platform', { ...platform, value });
    for (const command of ['browser-forward', 'browser-backward', 'volume-up']) {
      window.emit('app-command', {}, command);
    }
  }
  expect(window.webContents.steps).toEqual([-1, 1, 1, -1]);
});

test('opens the new window of a server before it closes the old one', async () => {
  const before = windowAt(server.url);
  createFakePage(before).send('parley:manage-servers');
  const picker = createFakePage(windowAt('parley-picker:'));
  await picker.invoke('parley-picker:check', server.url, undefined);
  let others = 0;
  before.on('closed', () => {
    others = recorded.windows.filter(
      ({ webContents, isGone }) => !isGone && webContents.mainFrame.url.startsWith(server.url),
    ).length;
  });
  expect(await picker.invoke('parley-picker:add', { origin: server.url })).toBe(true);
  expect([before.isGone, others]).toEqual([true, 1]);
  await expect.poll(() => windowAt(server.url).isShown).toBe(true);
  createFakePage(windowAt(server.url)).send('parley:ready');
});

test('opens the list of servers at the request of a page', async () => {
  createFakePage(windowAt(server.url)).send('parley:manage-servers');
  const picker = windowAt('parley-picker://app/picker.html');
  await expect.poll(() => picker.isShown).toBe(true);
  picker.close();
  await expect.poll(() => picker.isGone).toBe(true);
  expect(windowAt(server.url).isShown).toBe(true);
});

test('checks addresses in one session, but in a new one after a certificate was refused', async () => {
  createFakePage(windowAt(server.url)).send('parley:manage-servers');
  const picker = windowAt('parley-picker://app/picker.html');
  const check = () => createFakePage(picker).invoke('parley-picker:check', server.url, undefined);
  const lookUps = () => [...recorded.sessions].filter(([name]) => name.startsWith('look-'));
  await check();
  const count = lookUps().length;
  await check();
  expect(lookUps()).toHaveLength(count);

  const [, used] = lookUps().at(-1) ?? [];
  const refuse = vi.spyOn(used as NonNullable<typeof used>, 'fetch');
  refuse.mockImplementationOnce(async () => {
    const presented = { hostname: 'a.example', verificationResult: 'net::ERR_CERT_DATE_INVALID' };
    used?.verifyCertificate?.({ ...presented, certificate: { fingerprint: 'sha256/A' } }, () => {
      // Chromium refuses it.
    });
    throw new Error('net::ERR_CERT_DATE_INVALID');
  });
  await check();
  await check();
  expect(lookUps()).toHaveLength(count + 1);
  picker.close();
  await expect.poll(() => picker.isGone).toBe(true);
});

test('shows the menus in the language of the page', () => {
  createFakePage(windowAt(server.url)).send('parley:set-language', 'de');
  expect(recorded.menus.at(-1)?.map(({ label }) => label)).toContain('Bearbeiten');
});

test('reports to the page that the computer woke up and that the certificate is refused', async () => {
  const { webContents } = windowAt(server.url);
  powerMonitor.emit('resume');
  expect(webContents.sent.at(-1)).toEqual({ type: 'resume' });

  const session = [...recorded.sessions.values()].findLast(({ handlers }) => handlers.has('http'));
  const { hostname } = new URL(server.url);
  const certificate = { fingerprint: 'sha256/NEW' };
  const verificationResult = 'net::ERR_CERT_AUTHORITY_INVALID';
  const verdict = vi.fn<(verdict: number) => void>();
  session?.verifyCertificate?.({ hostname, verificationResult, certificate }, verdict);
  expect(webContents.sent.at(-1)).toEqual({ type: 'certificate', isRefused: true });

  createFakePage(windowAt(server.url)).send('parley:review-certificate');
  const picker = windowAt('parley-picker:');
  await expect.poll(() => picker.isShown).toBe(true);
  expect(createFakePage(picker).sendSync('parley-picker:start')).toMatchObject({
    address: server.url,
  });
  picker.close();

  const request = session?.handlers.get('http');
  await request?.(new Request(`${server.url}/api/config`));
  expect(webContents.sent.at(-1)).toEqual({ type: 'certificate', isRefused: false });
});

test('reloads a crashed page, and asks the user after a second crash', async () => {
  const window = windowAt(server.url);
  const questionsBefore = recorded.questions.length;
  const crash = () =>
    window.webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
  const before = window.loads;
  crash();
  expect([window.loads - before, recorded.questions.length - questionsBefore]).toEqual([1, 0]);
  crash();
  expect(recorded.questions.at(-1)).toMatchObject({
    message: 'Dieses Fenster funktioniert nicht mehr',
  });
  await flushEvents();
  expect(window.loads - before).toBe(1);
  recorded.response = 0;
  crash();
  await expect.poll(() => window.loads - before).toBe(2);
});

test('offers to reload a hanging page, and closes the dialog when the page responds again', async () => {
  const window = windowAt(server.url);
  const before = window.loads;
  recorded.response = 0;
  window.emit('unresponsive');
  expect(recorded.questions.at(-1)?.message).toBe('Dieses Fenster reagiert nicht');
  await expect.poll(() => window.loads - before).toBe(1);

  window.emit('unresponsive');
  window.emit('responsive');
  expect(recorded.questions.at(-1)?.signal?.aborted).toBe(true);
  await flushEvents();
  expect(window.loads - before).toBe(1);
});

test('offers to reload a page that loads without its bridge', async () => {
  const window = windowAt(server.url);
  recorded.hasPreloads = false;
  recorded.response = 0;
  const before = window.loads;
  window.loadURL(`${server.url}/`).catch(() => undefined);
  await expect.poll(() => recorded.questions.at(-1)?.message).toContain('nicht richtig starten');
  recorded.hasPreloads = true;
  await expect.poll(() => window.loads - before).toBe(2);
  const frame = { url: 'https://evil.example/' };
  const event = { sender: { mainFrame: frame }, senderFrame: frame, returnValue: undefined };
  window.webContents.ipc.emit('parley:start', event);
  expect(event.returnValue).toBeNull();
});

test('logs no names, addresses or contents', async () => {
  app.emit('child-process-gone', {}, { type: 'GPU', reason: 'crashed', exitCode: 139 });
  const text = await readFile(join(recorded.userData, 'main.log'), 'utf8');
  for (const event of ['start {', 'resume', 'certificate {', 'page-gone {', 'page-unresponsive']) {
    expect(text).toContain(` ${event}`);
  }
  expect(text).toContain('child-process-gone {"type":"GPU","reason":"crashed","exitCode":139}');
  expect(text).toContain(
    'ipc-refused {"channel":"parley:start","because":"sender","hasFrame":true}',
  );
  expect(text).not.toMatch(/Alice|Hello|room-|127\.0\.0\.1|localhost|evil|https?:|\/tmp/);
  const help = recorded.menus.at(-1)?.find(({ role }) => role === 'help');
  help?.submenu?.find(({ label }) => label === 'Protokolldatei anzeigen')?.click?.();
  expect(recorded.shownFiles).toEqual([join(recorded.userData, 'main.log')]);
});

test('saves everything before it quits', async () => {
  await createFakePage(windowAt(server.url)).invoke('parley:set-preferences', {
    closeToTray: true,
  });
  const window = windowAt(server.url);
  window.close();
  expect([window.isGone, window.isShown]).toEqual([false, false]);
  app.quit();
  await expect.poll(() => recorded.isQuit).toBe(true);
  const session = [...recorded.sessions.values()].findLast(({ handlers }) => handlers.has('http'));
  expect(session?.flushes).toBeGreaterThan(0);
  const kept: unknown = JSON.parse(
    await readFile(join(recorded.userData, 'settings.json'), 'utf8'),
  );
  expect(kept).toMatchObject({
    servers: [{ origin: server.url, bounds: { x: 10, y: 20, width: 900, height: 700 } }],
    active: server.url,
    language: 'de',
    preferences: { closeToTray: true },
  });
});
