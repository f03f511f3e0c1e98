import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { createDesktopHost } from '@parley/web/desktop-host';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { saveSignedInUsername } from '../../src/app/signed-in-username.ts';
import { sendTextAs } from './support/act-as.ts';
import { createFakeBridge } from './support/fake-bridge.ts';
import { holdRequests } from './support/hold-requests.ts';
import {
  createLongChat,
  expectShown,
  hello,
  newest,
  openLinkOffline,
} from './support/linked-message.ts';
import { chatRowOf, messageBox, messageWith, toastWith } from './support/locators.ts';
import { menuItem, openMessageMenu } from './support/message-menu.ts';
import { noResponse } from './support/no-response.ts';
import { openApp } from './support/open-app.ts';
import { expectPath } from './support/expect-path.ts';
import { chooseFromRoomMenu } from './support/room-menu.ts';

const PASSWORD = 'correct horse';
const t = createTranslator('en');
const toBottom = page.getByRole('button', { name: t('room.toBottom') });

/** Clicks a link in a message, with a modifier key or not. Returns whether the app left it to the browser. */
function clickLink(link: Locator, init: MouseEventInit = {}): boolean {
  let isLeft = false;
  const stop = (event: Event): void => {
    isLeft = !event.defaultPrevented;
    // The page of the tests must stay.
    event.preventDefault();
  };
  window.addEventListener('click', stop, { once: true });
  link
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...init }));
  return isLeft;
}

for (const language of TEST_LANGUAGES) {
  const texts = createTranslator(language);

  test(`a link to a message opens the chatroom there once, or says that it is gone (${language})`, async () => {
    const { server, path, linkTo } = await createLongChat(language);
    const { reload } = await openApp({ server, user: 'Bob', path: linkTo(1), language });
    await expectShown(hello());
    expect(newest().elements()).toEqual([]);
    await expectPath(path);
    await reload();
    await expect.element(newest()).toBeInViewport();
    expect(hello().elements()).toEqual([]);

    for (const seq of [9_999, 'nonsense']) {
      await reload(linkTo(seq));
      await expect.element(toastWith(texts('reply.jumpMissing'))).toBeVisible();
      await expectPath(path);
      // It is not dismissed like those of the previous screen.
      await expect.element(toastWith(texts('reply.jumpMissing'))).toBeVisible();
      await expect.element(newest()).toBeInViewport();
    }
  });
}

test('a link to a message is copied with the address of the server', async () => {
  const { server, linkTo, path } = await createLongChat();
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  onTestFinished(() => write.mockRestore());
  await openApp({ server, user: 'Bob', path });
  await openMessageMenu(newest());
  await menuItem(t('message.copyLink')).click();
  await expect.element(page.getByText(t('message.linkCopied'))).toBeVisible();
  expect(write).toHaveBeenCalledExactlyOnceWith(location.origin + linkTo(81));
});

test('a link to a message waits until its chatroom is loaded', async () => {
  const { server, path, linkTo } = await createLongChat();
  const { reload } = await openApp({ server, user: 'Bob' });
  const release = holdRequests(server, 'getChatroom');
  await reload(linkTo(1));
  await expect.element(page.getByRole('main')).toBeVisible();
  release();
  await expectShown(hello());
  expect(page.getByCss('.Toastify__toast').elements()).toEqual([]);
  await expectPath(path);
});

for (const viewport of [
  { width: 390, height: 740 },
  { width: 1280, height: 800 },
]) {
  test(`a chatroom stays as it is once the message is shown, ${viewport.width} pixels wide`, async () => {
    const { server, path, linkTo, room } = await createLongChat();
    const isReached = Promise.withResolvers<void>();
    server.intercept('getChatroom', async ({ url }, next) => {
      if (url.includes('around=')) await isReached.promise;
      return next();
    });
    await openApp({ server, user: 'Bob', path: linkTo(1), viewport });
    await expect.element(newest()).toBeInViewport();
    const view = page.getByCss(`[data-room="${room}"]`);
    const before = view.element();
    await messageBox().click();
    await userEvent.keyboard('half a sentence');
    expect(location.pathname).toBe(linkTo(1));
    isReached.resolve();
    await expect.element(hello()).toBeInViewport();
    await expectPath(path);
    await userEvent.keyboard(' more');
    await expect.element(messageBox()).toHaveValue('half a sentence more');
    expect(view.element()).toBe(before);
  });
}

test('a link that was opened offline is followed when the connection returns', async () => {
  const { browser, path } = await openLinkOffline();
  browser.setOnline(true);
  await expectShown(hello());
  await expectPath(path);
});

test('a link that was opened offline is followed even if that fails after the first reconnect', async () => {
  const { browser, path, server } = await openLinkOffline();
  const failing = vi.fn(noResponse);
  const restore = server.intercept('getChatroom', ({ url }, next) =>
    url.includes('around=') ? failing() : next(),
  );
  browser.setOnline(true);
  await expect.poll(() => failing.mock.calls.length).toBeGreaterThan(0);
  restore();
  browser.setOnline(false);
  browser.setOnline(true);
  await expectShown(hello());
  await expectPath(path);
});

test('a link that was opened offline survives a reload', async () => {
  const { browser, path, reload } = await openLinkOffline();
  await reload();
  await expect.element(toastWith(t('reply.jumpOffline'))).toBeVisible();
  browser.setOnline(true);
  await expectShown(hello());
  await expectPath(path);
});

test('a link that was opened offline is dropped once the user has gone to the newest message', async () => {
  const { browser, path, server, room } = await openLinkOffline();
  const list = page.getByRole('region', { name: t('room.messages', { name: 'Alice' }) });
  await expect
    .poll(() => {
      list.element().dispatchEvent(new WheelEvent('wheel'));
      list.element().scrollTop = 0;
      return toBottom.elements().length;
    })
    .toBe(1);
  await toBottom.click();
  await expectPath(path);
  browser.setOnline(true);
  await sendTextAs(server, 'Alice', room, 'Are you back?');
  await expect.element(messageWith('Are you back?')).toBeInViewport();
  expect(hello().elements()).toEqual([]);
});

test('a link that was opened offline is dropped once the user writes a message', async () => {
  const { browser, path, server, room } = await openLinkOffline();
  await messageBox().click();
  await userEvent.keyboard('half a');
  await expectPath(path);
  browser.setOnline(true);
  await sendTextAs(server, 'Alice', room, 'Are you back?');
  await expect.element(messageWith('Are you back?')).toBeInViewport();
  await userEvent.keyboard(' sentence');
  await expect.element(messageBox()).toHaveValue('half a sentence');
  expect(hello().elements()).toEqual([]);
});

test('a link that was opened offline is dropped once the user has left the chatroom', async () => {
  const { browser, server, room } = await openLinkOffline();
  await page
    .getByRole('link', { name: t('findUser.open') })
    .first()
    .click();
  await expect.element(page.getByLabelText(t('findUser.username'), { exact: true })).toBeVisible();
  const requests = vi.fn();
  server.intercept('getChatroom', ({ url }, next) => {
    requests(url);
    return next();
  });
  browser.setOnline(true);
  await sendTextAs(server, 'Alice', room, 'Are you back?');
  await expect.element(chatRowOf('Alice')).toMatchTextContent('Are you back?');
  expect(requests).not.toHaveBeenCalledWith(expect.stringContaining('around='));
  await expectPath('/chatarea/exist');
});

test('a guest who opens a link to a message comes to it after the login', async () => {
  const { server, path, linkTo } = await createLongChat();
  await openApp({ server, path: linkTo(1) });
  await expectPath('/');
  await expect.element(page.getByText(t('login.returnHint'))).toBeVisible();
  await page.getByLabelText(t('field.email'), { exact: true }).fill('bob@example.org');
  await page.getByLabelText(t('field.password'), { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: t('login.submit'), exact: true }).click();
  await expectShown(hello());
  await expectPath(path);
});

test('a guest who opens a link to a message comes to it after the login in another tab', async () => {
  const { server, path, linkTo } = await createLongChat();
  const { browser, reload } = await openApp({ server, path: linkTo(1) });
  await expectPath('/');
  const response = await browser.fetch(`${server.origin}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bob@example.org', password: PASSWORD }),
  });
  expect(response.status).toBe(200);
  // The other tab stores it.
  saveSignedInUsername('Bob');
  await reload();
  await expectShown(hello());
  await expectPath(path);
});

test('a link in a message to a screen of the server opens in the page', async () => {
  const { server, path, linkTo, room } = await createLongChat();
  const site = location.origin;
  const text = `${site}${linkTo(1)} ${site}/invite#code ${site}/privacy https://example.org${path}`;
  await sendTextAs(server, 'Alice', room, text);
  await openApp({ server, user: 'Bob', path });
  const link = (href: string) => page.getByCss(`a[href="${href}"]`);
  const own = link(site + linkTo(1));
  await expect.element(own).toBeVisible();
  for (const init of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }]) {
    expect(clickLink(own, init)).toBe(true);
  }
  for (const other of [`${site}/privacy`, `https://example.org${path}`]) {
    expect(clickLink(link(other))).toBe(true);
  }
  expect(location.pathname).toBe(path);

  const entries = history.length;
  await own.click();
  await expectShown(hello());
  await expectPath(path);
  // The chatroom has only one entry.
  expect(history.length).toBe(entries);

  await chooseFromRoomMenu(t, 'gallery.title');
  await page.getByRole('tab', { name: t('gallery.links') }).click();
  await own.click();
  await expectShown(hello());
  await expectPath(path);

  history.back();
  await expectPath(`${path}/media`);
  await link(`${site}/invite#code`).click();
  await expectPath('/invite');
  expect(location.hash).toBe('#code');
});

test('a link to the desktop app opens a chatroom or a message in it', async () => {
  const { server, path, room } = await createLongChat();
  const bridge = createFakeBridge();
  await openApp({ server, user: 'Bob', host: createDesktopHost(bridge) });
  bridge.emit({ type: 'open-chat', chatroom: room });
  await expect.element(newest()).toBeInViewport();
  bridge.emit({ type: 'open-chat', chatroom: room, seq: 1 });
  await expectShown(hello());
  await expectPath(path);
});
