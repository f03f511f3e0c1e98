import type { Page } from 'playwright/test';
import { message, sendText, startChat } from '../support/chat.ts';
import { signUpOverHttp, signUpWithForms } from '../support/browser-user.ts';
import { createTranslator } from '../support/texts.ts';
import { expect } from '../support/test.ts';
import { electronTest as test, waitForWindow } from './support/electron-test.ts';
import { findElectron, NO_ELECTRON } from './support/find-electron.ts';
import {
  clickNotification,
  closeWindows,
  crashPage,
  expectPageText,
  getShownNotifications,
  hasStorageKey,
  hideWindows,
  installFakeDesktop,
  isAnyWindowShown,
  readBadge,
  stopEmulatingFocus,
} from './support/fake-desktop.ts';

const t = createTranslator('en');
const electron = findElectron(process.env);

// Prints the message only once, in the process that lists the tests.
if (electron === undefined && process.env['TEST_WORKER_INDEX'] === undefined) {
  process.stdout.write(`${NO_ELECTRON}\n`);
}

test.skip(electron === undefined, NO_ELECTRON);
test.setTimeout(300_000);

test('a user adds a server, registers, chats, gets notifications, records, and closes and reopens the app', async ({
  server,
  newPage,
  installed,
}) => {
  const serverUrl = new RegExp(`^${server.url}`);
  const alicePage = await newPage();
  await signUpOverHttp(alicePage, server, 'Alice');

  let app = await installed.start();
  let page = await test.step('an address without a scheme is accepted', async () => {
    const picker = await waitForWindow(app, /^parley-picker:/);
    await picker.getByLabel('Server address').fill('no such address');
    await picker.getByRole('button', { name: 'Connect' }).click();
    await expect(picker.getByRole('alert')).toContainText("isn't a valid address");
    await picker.getByLabel('Server address').fill(new URL(server.url).host);
    await picker.getByRole('button', { name: 'Connect' }).click();
    return waitForWindow(app, serverUrl);
  });

  await test.step('a user can register and chat as in a browser', async () => {
    await signUpWithForms(withBaseUrl(page, server.url), server, 'Bob');
    await startChat(page, 'alice', 'Hello from the desktop!');
    await alicePage.getByText('Hello from the desktop!').first().click();
    await sendText(alicePage, 'Hello back!');
    await expect(message(page, 'Hello back!')).toBeVisible();
  });
  const chatroom = new URL(page.url()).pathname.split('/').at(-1) ?? '';

  await test.step('a message to a hidden window shows a notification, and a click on it opens the chatroom', async () => {
    await installFakeDesktop(app);
    await page.goto(`${server.url}/profile`);
    await stopEmulatingFocus(page);
    await hideWindows(app);
    await sendText(alicePage, 'Look here!');
    await expect
      .poll(() => getShownNotifications(app))
      .toEqual([{ title: 'Alice', body: 'Look here!', silent: false }]);
    await expect.poll(() => readBadge(app)).toBe(1);
    await clickNotification(app);
    await page.waitForURL(`**/chatarea/chats/${chatroom}`);
    await expect.poll(() => isAnyWindowShown(app)).toBe(true);
    await expect.poll(() => readBadge(app)).toBe(0);
  });

  await test.step('the page may use the microphone but not the camera', async () => {
    await page.getByRole('button', { name: t('composer.record') }).click();
    await expect(page.getByRole('button', { name: t('recorder.stop') })).toBeVisible();
    await page
      .getByRole('button', { name: t('recorder.discard') })
      .first()
      .click();
    const camera = page.evaluate(() => navigator.mediaDevices.getUserMedia({ video: true }));
    await expect(camera).rejects.toThrow(/NotAllowed|denied/i);
  });

  await test.step('a second instance passes its link to the first one and exits', async () => {
    await page.goto(`${server.url}/settings`);
    expect(await installed.startAgain(`parley://chat/${chatroom}`)).toBe(0);
    await page.waitForURL(`**/chatarea/chats/${chatroom}`);
  });

  await test.step('the page reconnects after the server was stopped', async () => {
    await server.stop();
    await expect(page.getByText(t('connection.reconnecting'))).toBeVisible({ timeout: 60_000 });
    await server.start();
    await expect(page.getByText(t('connection.reconnecting'))).toHaveCount(0, { timeout: 60_000 });
    await sendText(alicePage, 'Welcome back!');
    await expect(message(page, 'Welcome back!')).toBeVisible();
  });

  await test.step('closing the window hides it in the tray or dock, or quits the app if there is none', async () => {
    await page.goto(`${server.url}/settings`);
    const keepRunning = page.getByRole('checkbox', { name: t('settings.deviceTray') });
    await expect(page.getByRole('button', { name: t('settings.deviceServers') })).toBeVisible();
    const hasTray = (await keepRunning.count()) > 0;
    if (hasTray) {
      await keepRunning.click();
      await expect(keepRunning).toBeChecked();
    }
    if (hasTray || process.platform === 'darwin') {
      await closeWindows(app);
      await expect.poll(() => isAnyWindowShown(app)).toBe(false);
      expect(await installed.startAgain()).toBe(0);
      await expect.poll(() => isAnyWindowShown(app)).toBe(true);
    } else {
      const ended = app.waitForEvent('close');
      await closeWindows(app).catch(() => undefined);
      await ended;
      app = await installed.start();
      page = await waitForWindow(app, serverUrl);
    }
  });

  await test.step('a page whose process has crashed reloads', async () => {
    await crashPage(app);
    await expectPageText(app, 'Alice');
  });

  let hasKey = true;
  await test.step('a restart keeps the server and the session', async () => {
    await app.close();
    const restartedApp = await installed.start(`parley://chat/${chatroom}`);
    const restoredPage = await waitForWindow(restartedApp, serverUrl);
    await restoredPage.waitForURL(`**/chatarea/chats/${chatroom}`);
    await expect(message(restoredPage, 'Look here!')).toBeVisible();
    hasKey = await hasStorageKey(restoredPage);
    await restartedApp.close();
  });

  await test.step('the app shows the last state without the server if it could store it, and reconnects when the server is back', async () => {
    await server.stop();
    const offlineApp = await installed.start();
    const cached = await waitForWindow(offlineApp, serverUrl);
    if (!hasKey) {
      await expect(cached.getByRole('heading', { name: t('app.startFailed') })).toBeVisible();
      return;
    }
    await expect(cached.getByText('Alice').first()).toBeVisible();
    await server.start();
    await expect(cached.getByText(t('connection.reconnecting'))).toHaveCount(0, {
      timeout: 60_000,
    });
  });
});

test('a page cannot use Node, navigate to other sites or send requests to other servers', async ({
  server,
  installed,
}) => {
  const app = await installed.start();
  const picker = await waitForWindow(app, /^parley-picker:/);
  await picker.getByLabel('Server address').fill(server.url);
  await picker.getByRole('button', { name: 'Connect' }).click();
  const page = await waitForWindow(app, new RegExp(`^${server.url}`));
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

/** Makes `page.goto` accept paths, as Electron's windows have no base URL. */
function withBaseUrl(page: Page, url: string): Page {
  const goto = page.goto.bind(page);
  page.goto = (path, options) => goto(new URL(path, url).href, options);
  return page;
}
