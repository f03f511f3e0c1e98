import type { ElectronApplication, Page } from 'playwright/test';
import { message, say, startChat } from '../support/chat.ts';
import { arrive, join } from '../support/person.ts';
import { words } from '../support/texts.ts';
import { expect } from '../support/test.ts';
import { test, windowAt } from './support/electron-test.ts';
import { findElectron, NO_ELECTRON } from './support/find-electron.ts';

const t = words('en');
const electron = findElectron(process.env);

// Said once, by the process that only lists the tests.
if (electron === undefined && process.env['TEST_WORKER_INDEX'] === undefined) {
  process.stdout.write(`${NO_ELECTRON}\n`);
}

test.skip(electron === undefined, NO_ELECTRON);
test.setTimeout(180_000);

test('a person chooses a server, registers, chats, is notified, records and comes back', async ({
  server,
  newPage,
  installed,
}) => {
  const alicePage = await newPage();
  await arrive(alicePage, server, 'Alice');

  const app = await installed.start();
  const page = await test.step('the address without a scheme is enough', async () => {
    const picker = await windowAt(app, /^parley-shell:/);
    await picker.getByLabel('Address of the server').fill('no such address');
    await picker.getByRole('button', { name: 'Connect' }).click();
    await expect(picker.getByRole('alert')).toContainText('does not look like an address');
    await picker.getByLabel('Address of the server').fill(new URL(server.url).host);
    await picker.getByRole('button', { name: 'Connect' }).click();
    return windowAt(app, new RegExp(`^${server.url}`));
  });

  await test.step('registering and chatting work as in a browser', async () => {
    await join(atServer(page, server.url), server, 'Bob');
    await startChat(page, 'alice', 'Hello from the desktop!');
    await alicePage.getByText('Hello from the desktop!').first().click();
    await say(alicePage, 'Hello back!');
    await expect(message(page, 'Hello back!')).toBeVisible();
  });
  const chatroom = new URL(page.url()).pathname.split('/').at(-1) ?? '';

  await test.step('a message to a hidden window notifies; the click opens the chat', async () => {
    await watchNotifications(app);
    await page.goto(`${server.url}/profile`);
    await setWindowsShown(app, false);
    await say(alicePage, 'Look here!');
    await expect.poll(() => shownNotifications(app)).toEqual([['Alice', 'Look here!']]);
    await clickNotification(app);
    await page.waitForURL(`**/chatarea/chats/${chatroom}`);
    await expect.poll(() => isAnyWindowShown(app)).toBe(true);
  });

  await test.step('the microphone records, and only the microphone', async () => {
    await page.getByRole('button', { name: t('composer.record') }).click();
    await expect(page.getByRole('button', { name: t('recorder.stop') })).toBeVisible();
    await page
      .getByRole('button', { name: t('recorder.discard') })
      .first()
      .click();
    const camera = page.evaluate(() => navigator.mediaDevices.getUserMedia({ video: true }));
    await expect(camera).rejects.toThrow(/NotAllowed|denied/i);
  });

  await test.step('a second start hands its link over and ends', async () => {
    await page.goto(`${server.url}/settings`);
    expect(await installed.startAgain(`parley://chat/${chatroom}`)).toBe(0);
    await page.waitForURL(`**/chatarea/chats/${chatroom}`);
  });

  await test.step('a restart keeps the server and the session', async () => {
    await app.close();
    const again = await installed.start(`parley://chat/${chatroom}`);
    const back = await windowAt(again, new RegExp(`^${server.url}`));
    await back.waitForURL(`**/chatarea/chats/${chatroom}`);
    await expect(message(back, 'Look here!')).toBeVisible();
    await again.close();
  });

  await test.step('without the server it shows what was there last, and reconnects', async () => {
    await server.stop();
    const offline = await installed.start();
    const page = await windowAt(offline, new RegExp(`^${server.url}`));
    await expect(page.getByText('Alice').first()).toBeVisible();
    await server.start();
    await expect(page.getByText(t('connection.reconnecting'))).toHaveCount(0, { timeout: 60_000 });
  });
});

test('foreign pages, frames and programs are out of reach', async ({ server, installed }) => {
  const app = await installed.start();
  const picker = await windowAt(app, /^parley-shell:/);
  await picker.getByLabel('Address of the server').fill(server.url);
  await picker.getByRole('button', { name: 'Connect' }).click();
  const page = await windowAt(app, new RegExp(`^${server.url}`));
  await expect(page.getByRole('button', { name: t('login.submit') })).toBeVisible();
  expect(await page.evaluate(() => 'require' in window || 'process' in window)).toBe(false);
  await page.evaluate(() => location.assign('https://example.org/'));
  await expect(page.getByRole('button', { name: t('login.submit') })).toBeVisible();
  expect(new URL(page.url()).origin).toBe(server.url);
  const foreign = page.evaluate(
    (url) => fetch(url).then(({ status }) => status),
    'http://localhost:1/',
  );
  await expect(foreign).rejects.toThrow(/fetch/i);
});

/** The page with addresses of its server made whole: Electron's windows have no base address. */
function atServer(page: Page, url: string): Page {
  const goto = page.goto.bind(page);
  page.goto = (path, options) => goto(new URL(path, url).href, options);
  return page;
}

interface Watched {
  shown: { title: string; body: string; emit: (name: string) => void }[];
}

/** Keeps what would be shown instead of showing it. */
async function watchNotifications(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ Notification }) => {
    const shown: Watched['shown'] = [];
    Object.assign(globalThis, { shown });
    Notification.prototype.show = function show() {
      shown.push(this);
      this.emit('show');
    };
  });
}

function shownNotifications(app: ElectronApplication): Promise<string[][]> {
  return app.evaluate(() =>
    (globalThis as unknown as Watched).shown.map(({ title, body }) => [title, body]),
  );
}

function clickNotification(app: ElectronApplication): Promise<void> {
  return app.evaluate(() => (globalThis as unknown as Watched).shown.at(-1)?.emit('click'));
}

function setWindowsShown(app: ElectronApplication, isShown: boolean): Promise<void> {
  return app.evaluate(({ BrowserWindow }, shown) => {
    for (const window of BrowserWindow.getAllWindows()) {
      if (shown) window.show();
      else window.hide();
    }
  }, isShown);
}

function isAnyWindowShown(app: ElectronApplication): Promise<boolean> {
  return app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some((window) => window.isVisible()),
  );
}
