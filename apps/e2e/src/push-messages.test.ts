import type { HostedServer } from '@parley/testing';
import { fullLaunchOptions } from '@parley/testing/browser';
import type { Page, Worker } from 'playwright/test';
import { chatRow, message, textBox } from './support/chat.ts';
import { createPng } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { PHONE } from './support/phone.ts';
import {
  submitLogin,
  sendOverHttp,
  signInOverHttp,
  type BrowserUser,
} from './support/browser-user.ts';
import {
  findWorker,
  openPushChannel,
  pushContent,
  shownNotifications,
  tapNotification,
} from './support/push.ts';
import { expect, test, type NewPage, type NewPageOptions } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

test.use({
  serviceWorkers: 'allow',
  launchOptions: fullLaunchOptions(process.env, '--no-first-run', '--disable-sync'),
});

/** A user in the chat list, whose partner has written, and the service worker that receives push messages. */
interface Notified {
  user: BrowserUser;
  partner: BrowserUser;
  chatroom: string;
  worker: Worker;
  push: (data: string) => Promise<void>;
}

/** Opens the chat list of Bob, to whom Alice has written. */
async function openNotified(
  newPage: NewPage,
  server: HostedServer,
  options: NewPageOptions = {},
): Promise<Notified> {
  const permissions = ['notifications'];
  const language = options.locale === 'de-DE' ? 'de' : 'en';
  const [user, partner] = await Promise.all([
    signInOverHttp(await newPage({ permissions, ...options }), server, 'Bob', language),
    signInOverHttp(await newPage(), server, 'Alice'),
  ]);
  const chatroom = await sendOverHttp(partner.page, 'Bob', 'Hello Bob!');
  await user.page.goto('/chatarea');
  await expect(chatRow(user.page, 'Alice')).toBeVisible();
  const worker = await findWorker(user.page);
  const push = await openPushChannel(user.page);
  return { user, partner, chatroom, worker, push };
}

/** Replaces what a worker does with windows, as if no page were open. Returns the paths that it opens. */
async function closeWindows(worker: Worker): Promise<() => Promise<string[]>> {
  await worker.evaluate(() => {
    const { clients } = globalThis as unknown as { clients: object };
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    Object.assign(clients, {
      matchAll: async () => [],
      openWindow: async (path: string) => {
        opened.push(path);
        return null;
      },
    });
  });
  return () => worker.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
}

/** Makes a page believe that another window has the focus, until a notification is tapped. */
async function loseFocusUntilTap(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'hasFocus', { value: () => false, configurable: true });
    window.dispatchEvent(new Event('blur'));
    navigator.serviceWorker.addEventListener('message', () => {
      Reflect.deleteProperty(document, 'hasFocus');
      window.dispatchEvent(new Event('focus'));
    });
  });
}

const tags = async (page: Page) => (await shownNotifications(page)).map(({ tag }) => tag);

test('a push message is shown as it says, one notification per chatroom', async ({
  server,
  newPage,
}) => {
  const { user, push } = await openNotified(newPage, server);
  const { page } = user;
  const content = (changed: Parameters<typeof pushContent>[1]) => pushContent(server.url, changed);
  await push(content({ chatroom: 'a', seq: 1, body: 'New message' }));
  await push(content({ chatroom: 'b', seq: 1, title: 'Carol', silent: true }));
  await expect
    .poll(() => shownNotifications(page))
    .toEqual([
      {
        title: 'Bob',
        body: 'New message',
        tag: 'a',
        lang: 'en',
        silent: false,
        actions: ['Reply', 'Mark as read'],
      },
      expect.objectContaining({ title: 'Carol', tag: 'b', silent: true }),
    ]);

  // A newer message replaces the earlier one of its chatroom, and a reaction has a notification of its own.
  await push(content({ chatroom: 'a', seq: 2, body: '2 new messages' }));
  await push(content({ chatroom: 'a', seq: 2, type: 'reaction', body: 'Reacted' }));
  await expect.poll(() => tags(page)).toEqual(['a', 'a/reaction', 'b']);
  expect(await shownNotifications(page)).toEqual([
    expect.objectContaining({ body: '2 new messages', silent: false }),
    expect.objectContaining({ body: 'Reacted', actions: [] }),
    expect.objectContaining({ title: 'Carol' }),
  ]);

  // What was read elsewhere disappears with the next push message.
  await push(content({ chatroom: 'c', read: ['a', 'b'] }));
  await expect.poll(() => tags(page)).toEqual(['c']);
});

for (const [locale, body] of [
  ['en-US', 'Something new is waiting for you.'],
  ['de-DE', 'Es gibt etwas Neues für dich.'],
] as const) {
  test(`a push message that cannot be read is shown as something new (${locale}) @long`, async ({
    server,
    newPage,
  }) => {
    const { user, push, worker } = await openNotified(newPage, server, { locale });
    const { page } = user;
    for (const data of ['', 'no JSON', '{}', '{"notification":{"title":7}}', '[]', 'null']) {
      await push(data);
      await expect
        .poll(() => shownNotifications(page), { message: data })
        .toEqual([expect.objectContaining({ title: 'Parley', body, tag: 'general' })]);
      await worker.evaluate(async () => {
        const { registration } = globalThis as unknown as ServiceWorkerGlobal;
        for (const notification of await registration.getNotifications()) notification.close();
      });
      await expect.poll(() => tags(page)).toEqual([]);
    }
    // Fields that are missing or of another type do not matter.
    await push('{"notification":{"title":"Only a title","tag":"x","navigate":7,"data":"odd"}}');
    await expect.poll(() => tags(page)).toEqual(['x']);
    const opened = await closeWindows(worker);
    await tapNotification(worker, 'x');
    await expect.poll(opened).toEqual(['/chatarea']);
  });
}

interface ServiceWorkerGlobal {
  registration: ServiceWorkerRegistration;
}

test('a message that the page has shown is not shown twice @long', async ({ server, newPage }) => {
  const { user, partner, chatroom, push } = await openNotified(newPage, server);
  const { page } = user;
  // The page is visible, but another window has the focus.
  await page.evaluate(() => {
    Object.defineProperty(document, 'hasFocus', { value: () => false, configurable: true });
    window.dispatchEvent(new Event('blur'));
  });
  await sendOverHttp(partner.page, 'Bob', 'Are you there?');
  await expect.poll(() => tags(page)).toEqual([chatroom]);
  const seq = 2;
  await push(pushContent(server.url, { chatroom, seq, title: 'Alice', body: '2 new messages' }));
  await expect
    .poll(() => shownNotifications(page))
    .toEqual([expect.objectContaining({ title: 'Alice', body: '2 new messages', silent: true })]);

  // The next message alerts again.
  await push(pushContent(server.url, { chatroom, seq: 3, title: 'Alice' }));
  await expect
    .poll(() => shownNotifications(page))
    .toEqual([expect.objectContaining({ title: 'Alice', silent: false })]);

  // Reading the chatroom here removes it.
  await page.evaluate(() => {
    Reflect.deleteProperty(document, 'hasFocus');
    window.dispatchEvent(new Event('focus'));
  });
  await chatRow(page, 'Alice').click();
  await expect(message(page, 'Are you there?')).toBeVisible();
  await expect.poll(() => tags(page)).toEqual([]);
});

test('a notification of what was read elsewhere is removed when the app is opened @long', async ({
  server,
  newPage,
}) => {
  const { user, chatroom, push } = await openNotified(newPage, server);
  const { page } = user;
  await page.request.post(`/api/chatrooms/chats/${chatroom}/mark-as-read`);
  await expect(chatRow(page, 'Alice').getByText('1', { exact: true })).toHaveCount(0);
  await push(pushContent(server.url, { chatroom, seq: 1, title: 'Alice' }));
  // A message that the page does not know of yet.
  await push(pushContent(server.url, { chatroom, seq: 9, title: 'Alice', tag: 'newer' }));
  await expect.poll(() => tags(page)).toContain('newer');
  await page.reload();
  await expect.poll(() => tags(page)).toEqual(['newer']);
});

test('a tap opens the chatroom in the open page, and a reaction its message', async ({
  server,
  newPage,
}) => {
  const { user, partner, chatroom, worker, push } = await openNotified(newPage, server);
  const { page } = user;
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await push(pushContent(server.url, { chatroom }));
  await expect.poll(() => tags(page)).toEqual([chatroom]);
  await tapNotification(worker, chatroom);
  await expect(message(page, 'Hello Bob!')).toBeVisible();
  await expect.poll(() => tags(page)).toEqual([]);

  await page.goto('/settings');
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await sendOverHttp(partner.page, 'Bob', 'Second message');
  // A list that says that the chat was read would remove its notifications.
  await expect(page).toHaveTitle(/^\(1\) /);
  const navigate = `${server.url}/chatarea/chats/${chatroom}/messages/1`;
  await push(pushContent(server.url, { chatroom, type: 'reaction', navigate }));
  await expect.poll(() => tags(page)).toContain(`${chatroom}/reaction`);
  await tapNotification(worker, `${chatroom}/reaction`);
  await expect(page).toHaveURL(`/chatarea/chats/${chatroom}`);
  await expect(message(page, 'Hello Bob!')).toBeVisible();
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
});

test('a tap opens a new page if none is open, and never another site @long', async ({
  server,
  newPage,
}) => {
  const { user, chatroom, worker, push } = await openNotified(newPage, server);
  const opened = await closeWindows(worker);
  const elsewhere = 'https://example.org/chatarea';
  await push(pushContent(server.url, { chatroom }));
  await push(pushContent(server.url, { chatroom: 'x', navigate: elsewhere }));
  await expect.poll(() => tags(user.page)).toHaveLength(2);
  await tapNotification(worker, chatroom);
  await expect.poll(opened).toEqual([`/chatarea/chats/${chatroom}`]);
  await tapNotification(worker, 'x');
  await expect.poll(opened).toEqual([`/chatarea/chats/${chatroom}`, '/']);
});

test('“Reply” without a text field opens the chatroom with the focus in the text box @long', async ({
  server,
  newPage,
}) => {
  // On a phone, the text box does not get the focus by itself.
  const { user, chatroom, worker, push } = await openNotified(newPage, server, PHONE);
  const { page } = user;
  await push(pushContent(server.url, { chatroom }));
  await expect.poll(() => tags(page)).toEqual([chatroom]);
  await tapNotification(worker, chatroom, { action: 'reply' });
  await expect(textBox(page)).toBeFocused();
  await expect(page).toHaveURL(`/chatarea/chats/${chatroom}`);
});

test('a reply in the notification is sent and marks the chatroom as read', async ({
  server,
  newPage,
}) => {
  const { user, partner, chatroom, worker, push } = await openNotified(newPage, server);
  await partner.page.goto(`/chatarea/chats/${chatroom}`);
  await push(pushContent(server.url, { chatroom, seq: 1 }));
  await expect.poll(() => tags(user.page)).toEqual([chatroom]);
  await tapNotification(worker, chatroom, { action: 'reply', reply: 'From the lock screen' });
  await expect(message(partner.page, 'From the lock screen')).toHaveCount(1);
  await expect.poll(() => tags(user.page)).toEqual([]);
  await expect(user.page).toHaveURL('/chatarea');
  const readList = async () => (await user.page.request.get('/api/chatrooms/chats')).json();
  await expect.poll(readList).toMatchObject({ chatrooms: [{ unreadMessagesCount: 0 }] });
});

test('a reply that cannot be sent is kept, and becomes a draft', async ({ server, newPage }) => {
  const { user, chatroom, worker, push } = await openNotified(newPage, server);
  const { page } = user;
  await push(pushContent(server.url, { chatroom, title: 'Alice' }));
  await expect.poll(() => tags(page)).toEqual([chatroom]);
  await worker.evaluate(() => {
    const { fetch } = globalThis;
    Object.assign(globalThis, {
      realFetch: fetch,
      fetch: async () => {
        throw new TypeError('Failed to fetch');
      },
    });
  });
  await tapNotification(worker, chatroom, { action: 'reply', reply: 'Not lost' });
  await expect
    .poll(() => shownNotifications(page))
    .toEqual([
      expect.objectContaining({ title: 'Alice', body: expect.stringMatching(/\nNot lost$/) }),
    ]);
  // A new message does not replace it, and reading the chat elsewhere does not close it.
  await push(pushContent(server.url, { chatroom, seq: 2, title: 'Alice' }));
  await push(pushContent(server.url, { chatroom: 'other', read: [chatroom] }));
  await expect.poll(() => tags(page)).toEqual([`${chatroom}/reply`, 'other'].toSorted());
  await tapNotification(worker, `${chatroom}/reply`);
  await expect(textBox(page)).toHaveValue('Not lost');
  await expect(textBox(page)).toBeFocused();
  await expect.poll(() => tags(page)).toEqual(['other']);

  await test.step('also in an open page that does not respond, which is loaded again', async () => {
    await page.goto('/icon-192.png');
    await push(pushContent(server.url, { chatroom, seq: 3, title: 'Alice' }));
    await expect.poll(() => tags(page)).toContain(chatroom);
    await tapNotification(worker, chatroom, { action: 'reply', reply: 'Nor this' });
    await expect.poll(() => tags(page)).toContain(`${chatroom}/reply`);
    await tapNotification(worker, `${chatroom}/reply`);
    await expect(textBox(page)).toHaveValue('Not lost\nNor this');
    await expect.poll(() => tags(page)).not.toContain(`${chatroom}/reply`);
  });
});

test('a reply that cannot be sent never becomes the draft of another user @long', async ({
  server,
  newPage,
}) => {
  const { user, partner, chatroom, worker, push } = await openNotified(newPage, server);
  const { page } = user;
  // The session ends while the app is not open. An open page would take the reply for Bob.
  await page.goto('/icon-192.png');
  await page.context().clearCookies();
  await push(pushContent(server.url, { chatroom, user: 'Bob', title: 'Alice' }));
  await expect.poll(() => tags(page)).toEqual([chatroom]);
  await tapNotification(worker, chatroom, { action: 'reply', reply: 'Only of Bob' });
  await expect.poll(() => tags(page)).toEqual([`${chatroom}/reply`]);
  await tapNotification(worker, `${chatroom}/reply`);
  await expect(page.getByRole('button', { name: t('login.submit'), exact: true })).toBeVisible();
  await expect.poll(() => tags(page)).toEqual([`${chatroom}/reply`]);

  // Alice, who is a member of the chatroom, signs in in this browser.
  await submitLogin(page, partner.email, partner.password);
  await expect(message(page, 'Hello Bob!')).toBeVisible();
  await expect(textBox(page)).toHaveValue('');
  // She does not see it in its notification, either.
  await expect.poll(() => tags(page)).toEqual([]);
});

test('a tap shows the first unread message of a chatroom that is open already @long', async ({
  server,
  newPage,
}) => {
  const { user, partner, chatroom, worker, push } = await openNotified(newPage, server);
  const { page } = user;
  await chatRow(page, 'Alice').click();
  await expect(message(page, 'Hello Bob!')).toBeInViewport();
  await loseFocusUntilTap(page);
  for (let i = 1; i <= 40; i += 1) await sendOverHttp(partner.page, 'Bob', `Number ${i}.`);
  // The list follows the newest messages.
  await expect(message(page, 'Number 40.')).toBeInViewport();
  await expect(message(page, 'Number 1.')).not.toBeInViewport();
  await push(pushContent(server.url, { chatroom, seq: 41, title: 'Alice' }));
  await expect.poll(() => tags(page)).toEqual([chatroom]);
  const depth = await page.evaluate(() => history.length);
  await tapNotification(worker, chatroom);
  await expect(page.getByText(t('room.newMessages'), { exact: true })).toBeInViewport();
  await expect(message(page, 'Number 1.')).toBeInViewport();
  await expect(message(page, 'Number 40.')).not.toBeInViewport();
  expect(await page.evaluate(() => history.length)).toBe(depth);
});

test('a tap closes an image and a menu that are open above the chatroom @long', async ({
  server,
  newPage,
}) => {
  const { user, partner, chatroom, worker, push } = await openNotified(newPage, server, PHONE);
  const { page } = user;
  const room = `/chatarea/chats/${chatroom}`;
  await sendFile(partner.page, room, 'image', createPng(300, 200));
  await chatRow(page, 'Alice').tap();
  const tap = async (seq: number): Promise<void> => {
    await push(pushContent(server.url, { chatroom, seq, title: 'Alice' }));
    await expect.poll(() => tags(page)).toEqual([chatroom]);
    await tapNotification(worker, chatroom);
  };

  await page.getByRole('button', { name: t('message.openImage') }).tap();
  const viewer = page.getByRole('dialog', { name: t('lightbox.title') });
  await expect(viewer).toBeVisible();
  await loseFocusUntilTap(page);
  for (let i = 1; i <= 20; i += 1) await sendOverHttp(partner.page, 'Bob', `Number ${i}.`);
  await expect(message(page, 'Number 20.')).toBeAttached();
  await tap(22);
  await expect(viewer).toHaveCount(0);
  await expect(page.getByText(t('room.newMessages'), { exact: true })).toBeInViewport();
  await expect(message(page, 'Number 1.')).toBeInViewport();

  const menu = page.getByRole('menu');
  await page.getByRole('button', { name: t('room.menu') }).tap();
  await expect(menu).toBeVisible();
  await tap(23);
  await expect(menu).toHaveCount(0);

  // Neither has left an entry in the history.
  await expect(page).toHaveURL(room);
  await page.goBack();
  await expect(page).toHaveURL('/chatarea');
});

test('“Mark as read” needs no page, and says so if it fails @long', async ({ server, newPage }) => {
  const { user, chatroom, worker, push } = await openNotified(newPage, server);
  const { page } = user;
  const badge = chatRow(page, 'Alice').getByText('1', { exact: true });
  await expect(badge).toBeVisible();
  const opened = await closeWindows(worker);
  await push(pushContent(server.url, { chatroom, seq: 1, title: 'Alice' }));
  await expect.poll(() => tags(page)).toEqual([chatroom]);

  await worker.evaluate(() => {
    Object.assign(globalThis, {
      realFetch: globalThis.fetch,
      fetch: async () => new Response('{}', { status: 503 }),
    });
  });
  await tapNotification(worker, chatroom, { action: 'read' });
  await expect
    .poll(() => shownNotifications(page))
    .toEqual([
      expect.objectContaining({
        title: 'Alice',
        body: "Couldn't mark it as read. Open the chat to try again.",
      }),
    ]);
  await expect(badge).toBeVisible();

  await worker.evaluate(() => {
    const { realFetch } = globalThis as unknown as { realFetch: typeof fetch };
    Object.assign(globalThis, { fetch: realFetch });
  });
  await tapNotification(worker, chatroom, { action: 'read' });
  await expect.poll(() => tags(page)).toEqual([]);
  await expect(badge).toHaveCount(0);
  expect(await opened()).toEqual([]);
});

test('the page tells the server which chatroom is in view @long', async ({ server, newPage }) => {
  const { user, chatroom } = await openNotified(newPage, server);
  const { page } = user;
  const sent: string[] = [];
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const [, attended] = /^42\["attend",(.*)\]$/.exec(String(payload)) ?? [];
      if (attended !== undefined) sent.push(attended);
    }),
  );
  await page.reload();
  await expect.poll(() => sent).toEqual(['{"chatroom":null}']);
  await chatRow(page, 'Alice').click();
  const room = JSON.stringify({ chatroom });
  await expect.poll(() => sent).toEqual(['{"chatroom":null}', room]);
  await page.evaluate(() => {
    Object.defineProperty(document, 'hasFocus', { value: () => false });
    window.dispatchEvent(new Event('blur'));
  });
  await expect.poll(() => sent).toEqual(['{"chatroom":null}', room, '{"chatroom":null}']);
});
