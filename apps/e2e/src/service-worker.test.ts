import { createHash } from 'node:crypto';
import type { HostedServer } from '@parley/testing';
import type { Page } from 'playwright/test';
import { chatRow, message, sendText } from './support/chat.ts';
import { expect, proxiedTest as test } from './support/proxied-test.ts';
import type { ChangeResponse } from './support/reverse-proxy.ts';
import { disableOfflineCopy } from './support/disable-offline-copy.ts';
import { openChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { createCredentials, signUpOverHttp } from './support/browser-user.ts';
import type { PlainBrowser, PlainTab } from './support/plain-browser.ts';
import type { NewPage } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

test.use({ serviceWorkers: 'allow' });

/** Returns the state of the service worker and its caches in a page's browser. */
function readState(page: Page) {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const paths: string[] = [];
    const names = await caches.keys();
    for (const name of names) {
      const requests = await (await caches.open(name)).keys();
      paths.push(...requests.map(({ url }) => new URL(url).pathname));
    }
    return {
      isActive: registration?.active?.state === 'activated',
      isControlled: navigator.serviceWorker.controller !== null,
      names,
      paths,
    };
  });
}

/** Waits until a page can start without a connection. */
async function waitUntilCached(page: Page): Promise<void> {
  await expect
    .poll(() => readState(page), { timeout: 60_000 })
    .toMatchObject({ isActive: true, isControlled: true });
}

/** Signs up a user without chats in a new page that can start without a connection. */
async function openCachedPage(newPage: NewPage, server: HostedServer): Promise<Page> {
  const page = await newPage();
  await signUpOverHttp(page, server, 'Alice');
  await waitUntilCached(page);
  return page;
}

const NEW_FILE = 'export {};';
const INTEGRITY = `sha256-${createHash('sha256').update(NEW_FILE).digest('base64')}`;

/** Changes the responses to those of a build of another version, in which one screen's file has another name. */
function newBuild(version: string): ChangeResponse {
  return (path, body) => {
    if (path === '/service-worker.js') {
      const script = body.replace(/[0-9a-f]{16}/, version);
      const file = /PrivacyPage-([\w.-]+\W+integrity\W+)sha256-[\w+/=]+/g;
      return { status: 200, body: script.replace(file, `PrivacyPage2-$1${INTEGRITY}`) };
    }
    if (path.startsWith('/assets/PrivacyPage2-')) return { status: 200, body: NEW_FILE };
    if (path.startsWith('/assets/PrivacyPage-')) return { status: 404, body: '' };
    return body.startsWith('<!doctype html>')
      ? {
          status: 200,
          body: body.replace('<head>', `<head><meta name="build" content="${version}" />`),
        }
      : undefined;
  };
}

const build = (page: Page) => page.locator('meta[name="build"]');
const banner = (page: Page) => page.getByText(t('app.newVersion'), { exact: true });
const chats = (page: Page) => page.getByText(t('chatList.empty'));

test('the app starts without the server, and the cache contains no user data', async ({
  server,
  reverseProxy,
  newPage,
}) => {
  const page = await newPage();
  await signUpOverHttp(page, server, 'Alice');
  await expect(chats(page)).toBeVisible();
  await disableOfflineCopy(page);
  await waitUntilCached(page);
  const { names, paths } = await readState(page);
  expect(names.toSorted()).toEqual([
    // This cache contains the name of the other one, and the language.
    'parley-shell',
    expect.stringMatching(/^parley-shell-[0-9a-f]{16}$/),
  ]);
  expect(paths).toContain('/index.html');
  const isOfBuild =
    /^\/(?:|assets\/[\w.-]+|index\.html|first-paint\.js|favicon\.svg|icon-192\.png|language|manifest\.webmanifest)$/;
  expect(paths.filter((path) => !isOfBuild.test(path))).toEqual([]);

  await reverseProxy.close();
  const response = await page.reload();
  expect(response?.fromServiceWorker()).toBe(true);
  expect(response?.headers()).toMatchObject({
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'x-frame-options': 'DENY',
  });
  await expect(page.locator('#app')).not.toBeEmpty();
  const request = page.evaluate(() => fetch('/api/config').then(({ status }) => status));
  await expect(request).rejects.toThrow('Failed to fetch');
  await page.goto('/settings');
  await expect(page.locator('#app')).not.toBeEmpty();

  await reverseProxy.open();
  await page.reload();
  await page.getByRole('button', { name: t('frame.menu', { name: 'Alice' }) }).click();
  await page.getByRole('menuitem', { name: t('frame.logout') }).click();
  await expect(page).toHaveURL((url) => url.pathname === '/');
  expect((await readState(page)).paths.toSorted()).toEqual(paths.toSorted());
});

test('the app shows the last chats without the server and later sends messages that were written offline', async ({
  server,
  reverseProxy,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  await expect(message(alice.page, 'Hello Bob!')).toBeVisible();
  await waitUntilCached(alice.page);
  await reverseProxy.close();
  await alice.page.reload();
  await expect(message(alice.page, 'Hello Bob!')).toBeVisible();
  await expect(chatRow(alice.page, 'Bob')).toBeVisible();
  await sendText(alice.page, 'Written without the server');
  await alice.page.reload();
  await expect(message(alice.page, 'Written without the server')).toBeVisible();
  await reverseProxy.open();
  await expect(message(bob.page, 'Written without the server')).toBeVisible();
});

test('the service worker does not intercept requests for pages and files of the server', async ({
  server,
  newPage,
}) => {
  const page = await openCachedPage(newPage, server);
  for (const [path, status, text] of [
    ['/api/docs', 200, /swagger/],
    ['/healthz', 200, /ok/],
    ['/media/none.png', 404, /not_found/],
    ['/assets/none.js', 404, /not_found/],
    ['/api/none', 404, /not_found/],
    ['/icon-512.png', 200, /PNG/],
  ] as const) {
    const response = await page.goto(path);
    expect(response?.fromServiceWorker(), path).toBe(false);
    expect(response?.status(), path).toBe(status);
    expect((await response?.body())?.toString(), path).toMatch(text);
  }
  await page.goto('/no/such/screen');
  await expect(page.getByRole('heading', { name: t('notFound.title') })).toBeVisible();

  const chatsResponse = page.waitForResponse('**/api/chatrooms/chats*');
  const response = await page.goto('/chatarea');
  expect(response?.fromServiceWorker()).toBe(true);
  expect((await chatsResponse).fromServiceWorker()).toBe(false);
});

/** Opens the app as a new user without chats in a browser without Playwright, and waits until it is cached. */
async function openCachedTab(browser: PlainBrowser, server: HostedServer): Promise<void> {
  const cookie = await server.addUser?.({
    username: 'Alice',
    language: 'en',
    ...createCredentials('Alice'),
  });
  await browser.goto(server.url);
  await expectValue(browser, 'location.origin').toBe(server.url);
  await browser.evaluate(`document.cookie = ${JSON.stringify(cookie)}`);
  await browser.goto(`${server.url}/chatarea`);
  await expectValue(browser, HAS_CHATS).toBe(true);
  await expectValue(browser, 'navigator.serviceWorker.controller?.state').toBe('activated');
}

/** Expects the value of an expression in a tab. */
const expectValue = (tab: PlainTab, expression: string) =>
  expect.poll(() => tab.evaluate(expression), { timeout: 60_000 });

const contains = (text: string): string =>
  `document.body.innerText.includes(${JSON.stringify(text)})`;
const HAS_CHATS = contains(t('chatList.empty'));
const HAS_BANNER = contains(t('app.newVersion'));
const VERSION = `document.querySelector('meta[name="build"]')?.content`;
const CLICK_RELOAD = `[...document.querySelectorAll('button')]
  .find(({ textContent }) => textContent === ${JSON.stringify(t('app.reload'))}).click()`;

test('the app offers a new version and starts it with a button, while another tab keeps its version', async ({
  server,
  reverseProxy,
  plainBrowser,
}) => {
  await openCachedTab(plainBrowser, server);
  const other = await plainBrowser.openTab();
  await other.goto(`${server.url}/chatarea`);
  await expectValue(other, HAS_CHATS).toBe(true);

  reverseProxy.change = newBuild('0002');
  // Closes all connections, as a restart of the server does.
  reverseProxy.cut();
  for (const tab of [plainBrowser, other]) await expectValue(tab, HAS_BANNER).toBe(true);
  await plainBrowser.evaluate(CLICK_RELOAD);
  await expectValue(plainBrowser, VERSION).toBe('0002');
  await expectValue(plainBrowser, HAS_CHATS).toBe(true);
  expect(await plainBrowser.evaluate(HAS_BANNER)).toBe(false);

  // The server no longer has the file of this screen.
  await other.evaluate(
    `history.pushState(null, '', '/privacy'); dispatchEvent(new PopStateEvent('popstate'))`,
  );
  await expectValue(other, contains(t('privacy.title'))).toBe(true);
  await expectValue(other, VERSION).toBeUndefined();
});

test('the app uses a new version from the next start on', async ({
  server,
  reverseProxy,
  plainBrowser,
}) => {
  await openCachedTab(plainBrowser, server);
  for (const version of ['0002', '0003', '0004']) {
    expect(await plainBrowser.evaluate(HAS_BANNER)).toBe(false);
    reverseProxy.change = newBuild(version);
    reverseProxy.cut();
    await expectValue(plainBrowser, HAS_BANNER).toBe(true);
    await plainBrowser.goto(`${server.url}/chatarea`);
    await expectValue(plainBrowser, VERSION).toBe(version);
    await expectValue(plainBrowser, HAS_CHATS).toBe(true);
  }
  // Open tabs may still use the two previous builds.
  const versions = ['-0002', '-0003', '-0004'].map((version) => `parley-shell${version}`);
  await expectValue(plainBrowser, 'caches.keys().then((names) => names.toSorted())').toEqual([
    'parley-shell',
    ...versions,
  ]);

  await test.step('a new version applies headers that the operator has changed', async () => {
    const { headers } = await fetch(reverseProxy.url);
    const policy = `${headers.get('content-security-policy')}; child-src 'none'`;
    const { change } = reverseProxy;
    reverseProxy.change = (path, body) => {
      const changed = change(path, body);
      if (path === '/service-worker.js' && changed) {
        return { ...changed, body: `${changed.body}\n// Page headers: others` };
      }
      return changed && { ...changed, headers: { 'content-security-policy': policy } };
    };
    reverseProxy.cut();
    await expectValue(plainBrowser, HAS_BANNER).toBe(true);
    await plainBrowser.goto(`${server.url}/chatarea`);
    await expectValue(plainBrowser, HAS_CHATS).toBe(true);
    // The violation of loading a picture from another server contains the policy of the page.
    const violated = `new Promise((resolve) => {
      document.addEventListener('securitypolicyviolation', (event) => resolve(event.originalPolicy));
      new Image().src = 'http://127.0.0.1:1/';
    })`;
    await expectValue(plainBrowser, violated).toBe(policy);
  });
});

test('a client that is too old gets the new version when it is reloaded @long', async ({
  server,
  reverseProxy,
  plainBrowser: browser,
}) => {
  const response = await fetch(`${server.url}/api/config`);
  const config = (await response.json()) as { apiVersion: number };
  const apiVersion = config.apiVersion + 1;
  const newerConfig = JSON.stringify({ ...config, apiVersion, minApiVersion: apiVersion });
  /** Changes the responses to those of a server that requires a newer client, with the files of a build. */
  const withFiles =
    (change: ChangeResponse): ChangeResponse =>
    (path, body) =>
      path === '/api/config' ? { status: 200, body: newerConfig } : change(path, body);
  const isTooOld = `document.querySelector('h1')?.textContent === ${JSON.stringify(t('app.serverNewer'))}`;

  await browser.goto(server.url);
  await expectValue(browser, `navigator.serviceWorker.controller?.state`).toBe('activated');
  reverseProxy.change = withFiles(() => undefined);
  await browser.goto(server.url);
  await expectValue(browser, isTooOld).toBe(true);

  await test.step('a complete build starts', async () => {
    reverseProxy.change = withFiles(newBuild('0002'));
    await browser.evaluate(CLICK_RELOAD);
    await expectValue(browser, VERSION).toBe('0002');
    await expectValue(browser, isTooOld).toBe(true);
  });

  const incomplete: ChangeResponse = (path, body) =>
    path === '/icon-192.png' ? { status: 404, body: '' } : newBuild('0003')(path, body);
  await test.step('a build that cannot be cached starts, too', async () => {
    reverseProxy.change = withFiles(incomplete);
    await browser.evaluate(CLICK_RELOAD);
    await expectValue(browser, VERSION).toBe('0003');
    await expectValue(browser, isTooOld).toBe(true);
  });

  await test.step('a build that is compatible with the server shows the login', async () => {
    reverseProxy.change = newBuild('0004');
    await browser.evaluate(CLICK_RELOAD);
    await expectValue(browser, VERSION).toBe('0004');
    await expectValue(browser, `document.querySelector('h1')?.textContent`).toBe(t('login.title'));
  });
});

test('the emoji picker opens without the server after an upgrade if it was used before @long', async ({
  server,
  reverseProxy,
  newPage,
}) => {
  const { alice } = await openChatroom(newPage, server);
  const { page } = alice;
  await waitUntilCached(page);
  const isPicker = (path: string): boolean => path.startsWith('/assets/EmojiPanel-');
  const readPickers = async () => (await readState(page)).paths.filter(isPicker);
  const openPicker = async () => {
    await page.getByRole('button', { name: t('composer.emoji') }).click();
    await expect(page.getByLabel(t('emoji.searchLabel'))).toBeVisible();
  };
  expect(await readPickers()).toEqual([]);
  await openPicker();
  // A script and a stylesheet.
  await expect.poll(readPickers).toHaveLength(2);

  reverseProxy.change = newBuild('0002');
  reverseProxy.cut();
  await expect(banner(page)).toBeVisible();
  // Each build has its own copies, because their names change in reality.
  expect(await readPickers()).toHaveLength(4);
  await reverseProxy.close();
  await page.reload();
  await expect(build(page)).toHaveAttribute('content', '0002');
  await openPicker();
});

test('the service worker unregisters if the server no longer has a service worker @long', async ({
  server,
  reverseProxy,
  newPage,
}) => {
  const page = await openCachedPage(newPage, server);
  const isScript = (path: string): boolean => path === '/service-worker.js';

  await test.step('the registration stays while another program responds instead of the server', async () => {
    for (const status of [200, 404, 502]) {
      const checked = Promise.withResolvers<void>();
      reverseProxy.change = (path) => {
        if (!isScript(path)) return undefined;
        checked.resolve();
        return { status, body: 'Be right back', headers: { 'content-type': 'text/html' } };
      };
      await page.reload();
      await expect(chats(page)).toBeVisible();
      await checked.promise;
      const { names, isControlled } = await readState(page);
      expect(isControlled).toBe(true);
      expect(names).toHaveLength(2);
    }
  });

  reverseProxy.change = (path) =>
    isScript(path) ? { status: 404, body: '{"code":"not_found"}' } : undefined;
  await page.reload();
  await expect.poll(async () => (await readState(page)).names).toEqual([]);
  const response = await page.reload();
  expect(response?.fromServiceWorker()).toBe(false);
  await expect(chats(page)).toBeVisible();
  expect(await readState(page)).toMatchObject({ isActive: false, isControlled: false });
});

test('the service worker unregisters if another program has responded for a day @long', async ({
  server,
  reverseProxy,
  newPage,
}) => {
  const page = await newPage();
  await signUpOverHttp(page, server, 'Alice');
  await waitUntilCached(page);
  const goneSince = '/gone-since';
  const readPaths = async () => (await readState(page)).paths;
  const respondInstead: ChangeResponse = (path) =>
    path === '/service-worker.js' ? { status: 404, body: 'No such site' } : undefined;
  /** Changes the recorded time of the first response of another program. */
  const setGoneFor = (hours: number) =>
    page.evaluate(
      async ([path, time]) => {
        await (await caches.open('parley-shell')).put(path, new Response(String(time)));
      },
      [goneSince, Date.now() - hours * 60 * 60 * 1_000] as const,
    );

  await test.step('the server responds in time', async () => {
    reverseProxy.change = respondInstead;
    await page.reload();
    await expect.poll(readPaths).toContain(goneSince);
    await setGoneFor(25);
    reverseProxy.change = () => undefined;
    await page.reload();
    await expect.poll(readPaths).not.toContain(goneSince);
    expect(await readState(page)).toMatchObject({ isActive: true, isControlled: true });
  });

  reverseProxy.change = respondInstead;
  await page.reload();
  await expect.poll(readPaths).toContain(goneSince);
  await setGoneFor(25);
  await page.reload();
  await expect.poll(async () => (await readState(page)).names).toEqual([]);
  expect((await page.reload())?.fromServiceWorker()).toBe(false);
});

test('the app starts from the server if the caches of the browser fail @long', async ({
  server,
  reverseProxy,
  newPage,
}) => {
  // Safari's caches may fail at any time. Here, they fail once the worker is active.
  const failing = `{
    const { match } = CacheStorage.prototype;
    CacheStorage.prototype.match = function (...args) {
      return self.registration.active?.state === 'activated'
        ? Promise.reject(new DOMException('Internal error', 'UnknownError'))
        : match.apply(this, args);
    };
  }`;
  const requested: string[] = [];
  reverseProxy.change = (path, body) => {
    requested.push(path);
    return path === '/service-worker.js' ? { status: 200, body: `${failing}${body}` } : undefined;
  };
  const page = await newPage();
  await signUpOverHttp(page, server, 'Alice');
  await waitUntilCached(page);
  requested.length = 0;
  await page.goto('/settings');
  await expect(page.getByRole('heading', { name: t('settings.title') })).toBeVisible();
  // Otherwise, the page would come from a cache.
  expect(requested).toContain('/settings');
});

test('the service worker unregisters if a proxy in front of the server redirects to a login @long', async ({
  server,
  reverseProxy,
  newPage,
}) => {
  const page = await openCachedPage(newPage, server);
  const toLogin = { status: 302, body: '', headers: { location: 'https://login.example.org/' } };
  reverseProxy.change = (path) => (path === '/service-worker.js' ? toLogin : undefined);
  await page.reload();
  await expect.poll(async () => (await readState(page)).names).toEqual([]);
  expect((await page.reload())?.fromServiceWorker()).toBe(false);
});

test('the service worker does not cache the page of another program @long', async ({
  server,
  reverseProxy,
  newPage,
}) => {
  const page = await newPage();
  const installed: string[] = [];
  reverseProxy.change = (path, body) => {
    if (path === '/service-worker.js')
      return { status: 200, body: body.replace(/[0-9a-f]{16}/, '0002') };
    installed.push(path);
    return path === '/index.html' && body.startsWith('<!doctype html>')
      ? { status: 200, body: '<!doctype html><p>Be right back</p>' }
      : undefined;
  };
  await signUpOverHttp(page, server, 'Alice');
  await expect.poll(() => installed).toContain('/index.html');
  await expect
    .poll(() =>
      page.evaluate(async () => (await navigator.serviceWorker.getRegistration()) === undefined),
    )
    .toBe(true);
  reverseProxy.change = () => undefined;
  await page.reload();
  await expect(chats(page)).toBeVisible();
  await waitUntilCached(page);
});

test('the app offers a reload if a newer version in another tab needs the storage @long', async ({
  server,
  newPage,
}) => {
  const page = await newPage();
  await signUpOverHttp(page, server, 'Alice');
  await expect(chats(page)).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  const newer = await page.context().newPage();
  await newer.goto('/api/docs');
  await newer.evaluate(async () => {
    for (const { name = '', version = 0 } of await indexedDB.databases()) {
      const opening = indexedDB.open(name, version + 1);
      await new Promise((resolve, reject) => {
        opening.addEventListener('success', resolve);
        opening.addEventListener('error', reject);
      });
      opening.result.close();
    }
  });
  await expect(banner(page)).toBeVisible();
  await expect(page.getByRole('button', { name: t('app.reload') })).toBeVisible();
});
