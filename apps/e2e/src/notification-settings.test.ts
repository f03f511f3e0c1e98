import { fullLaunchOptions } from '@parley/testing/browser';
import type { Page } from 'playwright/test';
import { findAxeViolations } from './support/accessibility.ts';
import { sendOverHttp, signInElsewhere, signInOverHttp } from './support/browser-user.ts';
import { chatRow, message } from './support/chat.ts';
import { focusWithKeyboard, pressWithKeyboard } from './support/keyboard.ts';
import {
  findWorker,
  openPushChannel,
  shownNotifications,
  stubPushManager,
  toSubscription,
  tapNotification,
} from './support/push.ts';
import {
  createSubscriptionKeys,
  decryptMessage,
  startLoopbackPushService,
  type LoopbackPushService,
  type BrowserSubscriptionKeys,
} from './support/loopback-push-service.ts';
import { expect, test as base, type NewPage, type NewPageOptions } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

const test = base.extend<{ pushService: LoopbackPushService }>({
  // The server is told its origin.
  pushService: async ({ locale: _locale }, provide) => {
    const service = await startLoopbackPushService();
    await provide(service);
    await service.close();
  },
  serverEnv: async ({ pushService }, provide) => {
    await provide({ PARLEY_PUSH_ORIGINS: pushService.origin });
  },
});

test.use({
  serviceWorkers: 'allow',
  launchOptions: fullLaunchOptions(process.env, '--no-first-run', '--disable-sync'),
});

/** Opens a page of a browser that can subscribe to push messages. */
async function openSubscribable(
  newPage: NewPage,
  service: LoopbackPushService,
  path: string,
  options: NewPageOptions = {},
): Promise<{ page: Page; keys: BrowserSubscriptionKeys }> {
  const page = await newPage({ permissions: ['notifications'], ...options });
  const keys = await createSubscriptionKeys();
  await stubPushManager(page.context(), service.origin + path, keys);
  return { page, keys };
}

const section = (page: Page, title = t('notifications.title')) =>
  page.getByRole('main').getByRole('region', { name: title, exact: true });

const button = (page: Page, key: string) =>
  page.getByRole('button', { name: t(`notifications.${key}`), exact: true });

const closedText = t('notifications.delivery.closed');

test('a message reaches a closed browser, and a tap opens it', async ({
  server,
  newPage,
  pushService,
}) => {
  const { page, keys } = await openSubscribable(newPage, pushService, '/bob');
  await signInOverHttp(page, server, 'Bob');
  const alice = await newPage();
  await signInOverHttp(alice, server, 'Alice');
  await page.goto('/settings');
  await expect(section(page).getByText(closedText)).toBeVisible();
  await section(page)
    .getByRole('radio', { name: t('notifications.contentWhoAndWhat') })
    .click();
  await expect(page.getByText(t('settings.updated'))).toBeVisible();
  const chatroom = await sendOverHttp(alice, 'Bob', 'Hello Bob!');
  const worker = await findWorker(page);
  const push = await openPushChannel(page);
  // The live connection ends, as with the page.
  await page.goto('/privacy');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  await sendOverHttp(alice, 'Bob', 'Only for Bob');
  const find = () => pushService.messages.findLast(({ path }) => path === '/bob');
  await expect.poll(find, { timeout: 90_000 }).toBeDefined();
  const { headers, body } = find() ?? { headers: {}, body: Buffer.alloc(0) };
  expect(headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    authorization: expect.stringMatching(/^vapid t=.+, ?k=.+/),
    ttl: expect.stringMatching(/^\d+$/),
  });
  expect(body.includes('Only for Bob')).toBe(false);
  const content = await decryptMessage(body, keys);
  expect(JSON.parse(content)).toMatchObject({ web_push: 8030 });

  await push(content);
  await expect
    .poll(() => shownNotifications(page))
    .toEqual([
      expect.objectContaining({
        tag: chatroom,
        body: 'Only for Bob',
        title: expect.stringContaining('Alice'),
      }),
    ]);
  await tapNotification(worker, chatroom);
  await expect(message(page, 'Only for Bob')).toBeVisible();
  await expect.poll(() => shownNotifications(page)).toEqual([]);
});

test('notifications are turned on by a tap only, turned off again, and end with the session', async ({
  server,
  newPage,
  pushService,
}) => {
  const { page } = await openSubscribable(newPage, pushService, '/bob', { permissions: [] });
  await page.addInitScript(() => {
    const state: { permission: NotificationPermission; asked: number } = {
      permission: 'default',
      asked: 0,
    };
    const stored = sessionStorage.getItem('permission');
    if (stored !== null) state.permission = stored as NotificationPermission;
    Object.assign(window, { asking: state });
    Object.defineProperty(Notification, 'permission', { get: () => state.permission });
    Notification.requestPermission = async () => {
      state.asked += 1;
      state.permission = 'granted';
      sessionStorage.setItem('permission', 'granted');
      return 'granted';
    };
  });
  await signInOverHttp(page, server, 'Bob');
  const devices = async () => {
    const response = await page.request.get('/api/notifications');
    return ((await response.json()) as { devices: { service: string }[] }).devices;
  };
  await page.goto('/settings');
  await expect(section(page).getByText(t('notifications.delivery.notAsked'))).toBeVisible();
  await expect(section(page).getByText(t('notifications.deviceNever'))).toBeVisible();
  const asked = () =>
    page.evaluate(() => (window as unknown as { asking: { asked: number } }).asking.asked);
  expect(await asked()).toBe(0);
  expect(await devices()).toEqual([]);

  await button(page, 'turnOn').click();
  await expect(section(page).getByText(closedText)).toBeVisible();
  expect(await asked()).toBe(1);
  await expect(section(page).getByText(t('notifications.deviceClosed'))).toBeVisible();
  expect(await devices()).toMatchObject([{ isCurrent: true }]);

  await button(page, 'turnOff').click();
  await expect(section(page).getByText(t('notifications.delivery.off'))).toBeVisible();
  await expect.poll(devices).toEqual([]);
  await expect(section(page).getByText(t('notifications.deviceNever'))).toBeVisible();
  await page.reload();
  await expect(section(page).getByText(t('notifications.delivery.off'))).toBeVisible();
  await expect(section(page).getByText(t('notifications.deviceNever'))).toBeVisible();

  await button(page, 'turnOn').click();
  await expect(section(page).getByText(closedText)).toBeVisible();
  // The browser subscribes again at each start.
  const resent = page.waitForRequest((request) => request.url().endsWith('/subscription'));
  await page.reload();
  expect((await resent).method()).toBe('POST');
  await page.goto('/chatarea');
  await page.getByRole('button', { name: t('frame.menu', { name: 'Bob' }) }).click();
  await page.getByRole('menuitem', { name: t('frame.logout') }).click();
  await expect(page).toHaveURL((url) => url.pathname === '/');
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('test.subscription')))
    .toBeNull();
});

test('the settings are the same on two devices, and each says what will happen on it @long', async ({
  server,
  newPage,
  pushService,
}) => {
  const first = await openSubscribable(newPage, pushService, '/first');
  const second = await openSubscribable(newPage, pushService, '/second');
  const user = await signInOverHttp(first.page, server, 'Bob');
  await signInElsewhere(second.page, user);
  const pages = [first.page, second.page] as const;
  await first.page.goto('/settings');
  await expect(section(first.page).getByText(closedText)).toBeVisible();
  await second.page.goto('/settings');
  await expect(section(second.page).getByText(closedText)).toBeVisible();
  await first.page.reload();
  const closed = section(first.page).getByText(t('notifications.deviceClosed'));
  await expect(closed).toHaveCount(2);

  // What notifications say.
  await section(first.page)
    .getByRole('radio', { name: t('notifications.contentNone') })
    .click();
  for (const page of pages) {
    await expect(section(page).getByText(t('notifications.detail.none'))).toBeVisible();
  }

  // Quiet hours.
  await section(second.page)
    .getByRole('checkbox', { name: t('notifications.quiet') })
    .click();
  for (const page of pages) {
    await expect(page.getByLabel(t('notifications.quietFrom'), { exact: true })).toHaveValue(
      '22:00',
    );
    await expect(page.getByLabel(t('notifications.quietZone'))).toHaveValue('Europe/Berlin');
  }
  const from = first.page.getByLabel(t('notifications.quietFrom'), { exact: true });
  await from.fill('00:00');
  await from.press('Enter');
  const to = first.page.getByLabel(t('notifications.quietTo'), { exact: true });
  await to.fill('00:00');
  await to.blur();
  for (const page of pages) {
    await expect(section(page).getByText(t('notifications.detail.quietAlways'))).toBeVisible();
  }
  await section(second.page)
    .getByRole('radio', { name: t('notifications.quietOnlySound') })
    .click();
  for (const page of pages) {
    await expect(section(page).getByText(t('notifications.detail.quietAlwaysSound'))).toBeVisible();
  }
  await first.page.getByLabel(t('notifications.quietZone')).selectOption('Asia/Tokyo');
  const zoneHere = t('notifications.quietZoneHere', { zone: 'Europe/Berlin' });
  await second.page.getByRole('button', { name: zoneHere }).click();
  await expect(first.page.getByLabel(t('notifications.quietZone'))).toHaveValue('Europe/Berlin');

  // An incomplete time is not saved.
  await to.fill('');
  await expect(first.page.getByText(t('notifications.quietInvalid'))).toBeVisible();
  await expect(second.page.getByLabel(t('notifications.quietTo'), { exact: true })).toHaveValue(
    '00:00',
  );

  // A pause.
  await button(first.page, 'pauseHour').click();
  for (const page of pages) await expect(button(page, 'resume')).toBeVisible();
  await expect(section(second.page).getByText(/^Paused until .*: no notifications/)).toBeVisible();
  await button(second.page, 'resume').click();
  for (const page of pages) await expect(button(page, 'pauseHour')).toBeVisible();
  await first.page.reload();
  await expect(
    section(first.page).getByText(t('notifications.detail.quietAlwaysSound')),
  ).toBeVisible();
});

test('a test notification says what became of it @long', async ({
  server,
  newPage,
  pushService,
}) => {
  const { page, keys } = await openSubscribable(newPage, pushService, '/bob');
  const user = await signInOverHttp(page, server, 'Bob');
  const other = await newPage({ permissions: ['notifications'] });
  await signInElsewhere(other, user);
  await page.goto('/settings');
  const send = section(page).getByRole('button', { name: /^Send a test to / });
  await expect(section(page).getByText(closedText)).toBeVisible();
  // The other device does not receive push messages.
  await expect(send).toHaveCount(1);
  await expect(section(page).getByText(t('notifications.otherOpen'))).toHaveCount(1);
  await send.click();
  await expect(page.getByText(t('notifications.testSent'))).toBeVisible();
  const [sent] = pushService.messages;
  expect(await decryptMessage(sent?.body ?? Buffer.alloc(0), keys)).toContain('"tag":"test"');

  pushService.respondWith(403);
  await send.click();
  await expect(page.getByText(t('notifications.testRefused'))).toBeVisible();
  pushService.respondWith(410);
  await send.click();
  await expect(page.getByText(t('notifications.testRenewed'))).toBeVisible();
  await expect(section(page).getByText(closedText)).toBeVisible();
  pushService.respondWith(201);
  await send.click();
  await expect.poll(() => pushService.messages.length).toBe(4);

  // Without push messages, the page shows the test itself.
  await other.goto('/settings');
  await section(other)
    .getByRole('button', { name: /^Send a test to / })
    .first()
    .click();
  await expect(other.getByText(t('notifications.testShown'))).toBeVisible();
});

test('a subscription that the browser replaced is sent again without a page @long', async ({
  server,
  newPage,
  pushService,
}) => {
  const { page } = await openSubscribable(newPage, pushService, '/old');
  await signInOverHttp(page, server, 'Bob');
  await page.goto('/settings');
  await expect(section(page).getByText(closedText)).toBeVisible();
  const worker = await findWorker(page);
  const keys = await createSubscriptionKeys();
  await worker.evaluate(
    (json) => {
      const subscription = { toJSON: () => json };
      Object.assign(PushManager.prototype, {
        getSubscription: async () => null,
        subscribe: async () => subscription,
      });
      const scope = globalThis as unknown as { ExtendableEvent: typeof Event };
      dispatchEvent(new scope.ExtendableEvent('pushsubscriptionchange'));
    },
    await toSubscription(`${pushService.origin}/new`, keys),
  );
  const testPush = async () => {
    await page.request.post('/api/notifications/test', { data: {} });
    return pushService.messages.at(-1)?.path;
  };
  await expect.poll(testPush, { intervals: [1_000] }).toBe('/new');
});

test('a pause and quiet hours apply to the notifications of an open page @long', async ({
  server,
  newPage,
  pushService,
}) => {
  const { page } = await openSubscribable(newPage, pushService, '/bob');
  await signInOverHttp(page, server, 'Bob');
  const alice = await newPage();
  await signInOverHttp(alice, server, 'Alice');
  const chatroom = await sendOverHttp(alice, 'Bob', 'Hello Bob!');
  await page.goto('/settings');
  await expect(section(page).getByText(closedText)).toBeVisible();
  await findWorker(page);
  await page.evaluate(() => {
    Object.defineProperty(document, 'hasFocus', { value: () => false });
    window.dispatchEvent(new Event('blur'));
  });
  const change = async (data: object) => {
    const response = await page.request.patch('/api/notifications', { data });
    expect(response.ok()).toBe(true);
  };
  await change({ pausedUntil: new Date(Date.now() + 3_600_000).toISOString() });
  await expect(button(page, 'resume')).toBeVisible();
  await sendOverHttp(alice, 'Bob', 'In the pause');
  await expect(chatRow(page, 'Alice').getByText('In the pause')).toBeVisible();
  await change({ pausedUntil: null, content: 'none' });
  await expect(button(page, 'pauseHour')).toBeVisible();
  await sendOverHttp(alice, 'Bob', 'After the pause');
  await expect
    .poll(() => shownNotifications(page))
    .toEqual([
      expect.objectContaining({
        tag: chatroom,
        title: 'Parley',
        body: t('notifications.newMessage'),
      }),
    ]);
});

test('the settings work with the keyboard alone, and axe finds no violations @long', async ({
  server,
  newPage,
  pushService,
}) => {
  const viewport = { width: 360, height: 740 };
  const { page } = await openSubscribable(newPage, pushService, '/bob', { viewport });
  await signInOverHttp(page, server, 'Bob');
  await page.goto('/settings');
  await expect(section(page).getByText(closedText)).toBeVisible();
  await focusWithKeyboard(page, section(page).getByRole('checkbox'));
  await page.keyboard.press('Space');
  const from = page.getByLabel(t('notifications.quietFrom'), { exact: true });
  await focusWithKeyboard(page, from);
  await page.keyboard.type('1130P');
  await focusWithKeyboard(page, page.getByLabel(t('notifications.quietTo'), { exact: true }));
  // The text depends on the time of the test.
  const quiet = /^(?:From 11:30.PM to|Quiet hours until) 7:00.AM: no notifications/;
  await expect(section(page).getByText(quiet)).toBeVisible();
  await pressWithKeyboard(page, button(page, 'pauseHour'));
  await expect(button(page, 'resume')).toBeVisible();

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const find = () => findAxeViolations(page, (axe) => axe.include('main'));
    await expect.poll(find, { message: colorScheme, timeout: 60_000 }).toEqual([]);
  }
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(viewport.width);
});
