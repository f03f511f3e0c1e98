import { chatRow, chatroomIdOf, message, sendText, startChat } from '../support/chat.ts';
import { acceptAsPartner, signUpOverHttp, signInOverHttp } from '../support/browser-user.ts';
import { nextConnection } from '../support/shared-chatroom.ts';
import { expect as baseExpect, test } from '../support/test.ts';
import { createTranslator } from '../support/texts.ts';
import { expectLast, DEFAULT_START, withBridge, type MainResponses } from './support/bridge.ts';

const t = createTranslator('en');
// Each test starts two browsers and its own server, which takes time.
const expect = baseExpect.configure({ timeout: 30_000 });

test.setTimeout(150_000);

test('a message in an unfocused window shows a notification that opens the chatroom and sends a reply', async ({
  server,
  newPage,
}) => {
  const [alicePage, bobPage] = [await newPage(), await newPage()];
  const main = await withBridge(bobPage);
  await signUpOverHttp(alicePage, server, 'Alice');
  await signUpOverHttp(bobPage, server, 'Bob');
  await expect(bobPage.getByText(t('chatList.empty'))).toBeVisible();
  await expectLast(main, 'set-language', 'en');
  await main.setFocus(false);

  await startChat(alicePage, 'bob', 'Hello?', { isRequest: true });
  const chatroom = chatroomIdOf(alicePage);
  await expect
    .poll(() => main.calls('notify'))
    .toEqual([
      {
        chatroom,
        title: t('request.notification', { name: 'Alice' }),
        body: '',
        silent: true,
        canReply: false,
      },
    ]);
  expect(await main.calls('set-unread')).not.toContainEqual(expect.objectContaining({ count: 1 }));

  await acceptAsPartner(alicePage, 'bob', chatroom);
  await sendText(alicePage, 'Hello Bob!');
  await expect
    .poll(async () => (await main.calls('notify')).slice(1))
    .toEqual([{ chatroom, title: 'Alice', body: 'Hello Bob!', silent: false }]);
  await expectLast(main, 'set-unread', {
    count: 2,
    picture: expect.stringMatching(/^data:image\/png;base64,/),
  });

  await main.setFocus(true);
  await main.emit({ type: 'open-chat', chatroom });
  await bobPage.waitForURL(`**/chatarea/chats/${chatroom}`);
  await expect(message(bobPage, 'Hello Bob!')).toBeVisible();
  await expectLast(main, 'set-unread', { count: 0 });
  await expectLast(main, 'withdraw-notification', chatroom);

  await main.setFocus(false);
  await sendText(alicePage, 'Are you there?');
  await expect.poll(() => main.calls('notify')).toHaveLength(3);
  await main.emit({ type: 'reply', chatroom, text: 'Yes, from the notification.' });
  await expect(message(alicePage, 'Yes, from the notification.')).toBeVisible();
});

test('a message is shown in the app if the system refuses its notification', async ({
  server,
  newPage,
}) => {
  const [alicePage, bobPage] = [await newPage(), await newPage()];
  const main = await withBridge(bobPage, { notify: 'refused' });
  await signUpOverHttp(alicePage, server, 'Alice');
  await signUpOverHttp(bobPage, server, 'Bob');
  await expect(bobPage.getByText(t('chatList.empty'))).toBeVisible();
  await startChat(alicePage, 'bob', 'Hello Bob!');
  await main.setFocus(false);
  await sendText(alicePage, 'Can you see me?');
  const toast = bobPage.locator('.Toastify__toast').filter({ hasText: 'Alice: Can you see me?' });
  await expect(toast).toBeVisible();
  await toast.click();
  await bobPage.waitForURL(/\/chatarea\/chats\/[\w-]{36}$/);
});

test('an event that arrives while the page is still starting is not lost', async ({
  server,
  newPage,
}) => {
  const [alicePage, bobPage] = [await newPage(), await newPage()];
  const main = await withBridge(bobPage);
  await signUpOverHttp(alicePage, server, 'Alice');
  await signUpOverHttp(bobPage, server, 'Bob');
  await startChat(alicePage, 'bob', 'Hello Bob!');
  await expect(chatRow(bobPage, 'Alice')).toBeVisible();
  const chatroom = chatroomIdOf(alicePage);
  await bobPage.goto('/profile', { waitUntil: 'commit' });
  await bobPage.waitForFunction(() => 'fakeMain' in window);
  await expect.poll(() => main.calls('ready')).toHaveLength(1);
  await main.emit({ type: 'open-chat', chatroom });
  await bobPage.waitForURL(`**/chatarea/chats/${chatroom}`);
});

test('a page whose bridge is refused shows only an error', async ({ server, newPage }) => {
  const page = await newPage();
  await withBridge(page, { start: null });
  await page.goto(server.url);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('This window is not connected to the app.');
  await expect(page.getByRole('button')).toHaveText(['Reload']);
});

test('a refused certificate is shown instead of a lost connection and can be reviewed', async ({
  server,
  newPage,
}) => {
  const page = await newPage();
  const main = await withBridge(page);
  await signInOverHttp(page, server, 'Alice');
  const connected = nextConnection(page);
  await page.goto('/chatarea');
  // When the live connection opens, the certificate counts as accepted.
  await connected;
  await expect(page.getByText(t('chatList.empty'))).toBeVisible();
  await main.emit({ type: 'certificate', isRefused: true });
  await page.getByRole('button', { name: t('connection.reviewCertificate') }).click();
  await expect.poll(() => main.calls('review-certificate')).toHaveLength(1);
  await main.emit({ type: 'certificate', isRefused: false });
  await expect(page.getByText(t('connection.certificate'))).toHaveCount(0);
});

test('a guest sees that the certificate is refused', async ({ server, newPage }) => {
  const page = await newPage();
  const main = await withBridge(page);
  await page.goto(server.url);
  await expect(page.getByRole('button', { name: t('login.submit') })).toBeVisible();
  await main.emit({ type: 'certificate', isRefused: true });
  await expect(page.getByRole('button', { name: t('connection.reviewCertificate') })).toBeVisible();
});

test('a failed start shows that the certificate is refused', async ({ server, newPage }) => {
  const page = await newPage();
  const main = await withBridge(page);
  await page.route('**/api/**', (route) => route.abort());
  await page.goto(server.url);
  await expect(page.getByRole('heading', { name: t('app.startFailed') })).toBeVisible();
  await main.emit({ type: 'certificate', isRefused: true });
  await expect(page.getByText(t('connection.certificateHelp'))).toBeVisible();
  await page.getByRole('button', { name: t('connection.reviewCertificate') }).click();
  await expect.poll(() => main.calls('review-certificate')).toHaveLength(1);
});

test('the live connection reconnects immediately after sleep', async ({ server, newPage }) => {
  const page = await newPage();
  const main = await withBridge(page);
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  await signUpOverHttp(page, server, 'Alice');
  await expect(page.getByText(t('chatList.empty'))).toBeVisible();
  await expect.poll(() => sockets.length).toBe(1);
  await main.emit({ type: 'resume' });
  await expect.poll(() => sockets.length).toBe(2);
});

const SOUNDS: {
  name: string;
  responses: MainResponses;
  volume?: string;
  isNotificationSilent: boolean;
  pageSoundCount: number;
}[] = [
  {
    name: 'the notification plays it',
    responses: {},
    isNotificationSilent: false,
    pageSoundCount: 0,
  },
  {
    name: 'the page plays it if the notification was refused',
    responses: { notify: 'refused' },
    isNotificationSilent: false,
    pageSoundCount: 1,
  },
  {
    name: 'the page plays it if notifications have no sound',
    responses: { start: { features: { ...DEFAULT_START.features, notificationSound: false } } },
    isNotificationSilent: false,
    pageSoundCount: 1,
  },
  {
    name: 'the page does not play it in do-not-disturb mode',
    responses: { notify: 'off', isDoNotDisturb: true },
    isNotificationSilent: false,
    pageSoundCount: 0,
  },
  {
    name: 'there is no sound at volume silent',
    responses: {},
    volume: 'silent',
    isNotificationSilent: true,
    pageSoundCount: 0,
  },
];

for (const { name, responses, volume, isNotificationSilent, pageSoundCount } of SOUNDS) {
  test(`the sound of a message after a hidden start: ${name}`, async ({ server, newPage }) => {
    const [alicePage, bobPage] = [await newPage(), await newPage()];
    const main = await withBridge(bobPage, responses);
    await bobPage.addInitScript(() => {
      const played: string[] = [];
      Reflect.set(window, 'played', played);
      HTMLMediaElement.prototype.play = function play() {
        played.push(this.src);
        return Promise.resolve();
      };
    });
    await signUpOverHttp(alicePage, server, 'Alice');
    await signUpOverHttp(bobPage, server, 'Bob');
    if (volume !== undefined) {
      await bobPage.request.patch('/api/users/volume', { data: { volume } });
      await bobPage.reload();
    }
    await expect(bobPage.getByText(t('chatList.empty'))).toBeVisible();
    await startChat(alicePage, 'bob', 'Hello!');
    await expect(
      chatRow(bobPage, 'Alice').getByText(t('chatList.unread_one', { count: 1 })),
    ).toBeAttached();
    await main.setFocus(false);
    // There has been no user gesture on Bob's page yet.
    await sendText(alicePage, 'Hello Bob!');
    await expect.poll(() => main.calls('notify')).toMatchObject([{ silent: isNotificationSilent }]);
    await expect(chatRow(bobPage, 'Alice')).toContainText('Hello Bob!');
    const played = () => bobPage.evaluate(() => Reflect.get(window, 'played') as string[]);
    await expect.poll(played).toHaveLength(pageSoundCount);
    // A second sound of the first message would have followed before that of the second message.
    await sendText(alicePage, 'Bye Bob!');
    await expect.poll(() => main.calls('notify')).toHaveLength(2);
    await expect.poll(played).toHaveLength(2 * pageSoundCount);
  });
}

const MICROPHONES = [
  { name: 'denied by the system', microphone: 'denied-by-system', text: 'recorder.deniedBySystem' },
  { name: 'switched off in the app', microphone: 'denied', text: 'recorder.switchedOff' },
] as const;

for (const { name, microphone, text } of MICROPHONES) {
  test(`the recorder shows that the microphone is ${name}`, async ({ server, newPage }) => {
    const page = await newPage();
    await withBridge(page, { microphone });
    await signUpAndStartChat(page, server, newPage);
    await page.getByRole('button', { name: t('composer.record') }).click();
    await expect(page.getByText(t(text)).first()).toBeVisible();
  });
}

test('the recorder shows that there is no microphone', async ({ server, newPage }) => {
  const page = await newPage();
  await withBridge(page);
  await page.addInitScript(() => {
    navigator.mediaDevices.enumerateDevices = async () => [];
  });
  await signUpAndStartChat(page, server, newPage);
  await page.getByRole('button', { name: t('composer.record') }).click();
  await expect(page.getByText(t('recorder.noDevice')).first()).toBeVisible();
});

test('the recorder shows that recording on an unencrypted server requires a restart of the app', async ({
  server,
  newPage,
}) => {
  const page = await newPage();
  await withBridge(page);
  await page.addInitScript(() => {
    Object.defineProperty(window, 'isSecureContext', { value: false });
  });
  await signUpAndStartChat(page, server, newPage);
  await page.getByRole('button', { name: t('composer.record') }).click();
  await expect(page.getByText(t('recorder.needsRestart')).first()).toBeVisible();
});

test('the settings of the app are shown and saved', async ({ server, newPage }) => {
  const page = await newPage();
  const main = await withBridge(page, { testNotification: 'refused' });
  await signInOverHttp(page, server, 'Alice');
  await page.goto('/settings');
  const section = page.getByRole('region', { name: t('settings.device') });
  await expect(section).toBeVisible();

  await section.getByRole('checkbox', { name: t('settings.deviceTray') }).click();
  await expectLast(main, 'set-preferences', { closeToTray: true });
  await expect(section.getByRole('checkbox', { name: t('settings.deviceTray') })).toBeChecked();
  await section.getByRole('checkbox', { name: t('settings.deviceLogin') }).click();
  await expectLast(main, 'set-preferences', { startAtLogin: true });
  await section.getByRole('checkbox', { name: t('settings.deviceNotifications') }).click();
  await expect(section.getByRole('checkbox', { name: t('settings.deviceContent') })).toHaveCount(0);

  await section.getByRole('button', { name: t('settings.deviceTest') }).click();
  await expect(page.getByText(t('settings.deviceTestRefused')).first()).toBeVisible();
  await section.getByRole('button', { name: t('settings.deviceMicrophoneSystem') }).click();
  await expect.poll(() => main.calls('open-microphone-settings')).toHaveLength(1);

  await section.getByRole('button', { name: t('settings.deviceServers') }).click();
  await expect.poll(() => main.calls('manage-servers')).toHaveLength(1);

  await page.getByRole('radio', { name: 'Deutsch' }).click();
  await expectLast(main, 'set-language', 'de');
  await expect(
    page.getByRole('heading', { name: createTranslator('de')('settings.device') }),
  ).toBeVisible();
});

test('the settings of the app are not shown in a browser', async ({ server, newPage }) => {
  const page = await newPage();
  await signInOverHttp(page, server, 'Alice');
  await page.goto('/settings');
  await expect(page.getByRole('heading', { name: t('settings.sound') })).toBeVisible();
  await expect(page.getByRole('heading', { name: t('settings.device') })).toHaveCount(0);
});

async function signUpAndStartChat(
  page: Awaited<ReturnType<typeof signUpOverHttp>>['page'],
  server: Parameters<typeof signUpOverHttp>[1],
  newPage: () => Promise<typeof page>,
): Promise<void> {
  await signUpOverHttp(await newPage(), server, 'Alice');
  await signUpOverHttp(page, server, 'Bob');
  await startChat(page, 'alice', 'Hello Alice!');
}
