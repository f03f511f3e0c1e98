import { chatRow, message, say, startChat } from '../support/chat.ts';
import { arrive } from '../support/person.ts';
import { expect as patient, test } from '../support/test.ts';
import { words } from '../support/texts.ts';
import { expectLast, START, withBridge, type MainAnswers } from './support/bridge.ts';

const t = words('en');
/** Two browsers and a server of their own start for each test. Milliseconds. */
const expect = patient.configure({ timeout: 30_000 });

test.setTimeout(150_000);

test('a message that nobody looks at crosses the bridge; its click and its answer come back', async ({
  server,
  newPage,
}) => {
  const [alicePage, bobPage] = [await newPage(), await newPage()];
  const main = await withBridge(bobPage);
  await arrive(alicePage, server, 'Alice');
  await arrive(bobPage, server, 'Bob');
  await expect(bobPage.getByText(t('chatList.empty'))).toBeVisible();
  await expectLast(main, 'set-language', 'en');
  await main.setFocus(false);

  await startChat(alicePage, 'bob', 'Hello Bob!');
  await expect.poll(() => main.calls('notify')).toHaveLength(1);
  const [notification] = (await main.calls('notify')) as { chatroom: string }[];
  expect(notification).toEqual({
    chatroom: expect.stringMatching(/^[\w-]{36}$/),
    title: 'Alice',
    body: 'Hello Bob!',
    silent: false,
  });
  await expectLast(main, 'set-unread', {
    count: 1,
    picture: expect.stringMatching(/^data:image\/png;base64,/),
  });

  const chatroom = notification?.chatroom ?? '';
  await main.setFocus(true);
  await main.emit({ type: 'open-chat', chatroom });
  await bobPage.waitForURL(`**/chatarea/chats/${chatroom}`);
  await expect(message(bobPage, 'Hello Bob!')).toBeVisible();
  await expectLast(main, 'set-unread', { count: 0 });
  await expectLast(main, 'withdraw', chatroom);

  await main.setFocus(false);
  await say(alicePage, 'Are you there?');
  await expect.poll(() => main.calls('notify')).toHaveLength(2);
  await main.emit({ type: 'reply', chatroom, text: 'Yes, from the notification.' });
  await expect(message(alicePage, 'Yes, from the notification.')).toBeVisible();
});

test('where the system refuses, the message shows inside the app', async ({ server, newPage }) => {
  const [alicePage, bobPage] = [await newPage(), await newPage()];
  const main = await withBridge(bobPage, { notify: 'refused' });
  await arrive(alicePage, server, 'Alice');
  await arrive(bobPage, server, 'Bob');
  await expect(bobPage.getByText(t('chatList.empty'))).toBeVisible();
  await main.setFocus(false);
  await startChat(alicePage, 'bob', 'Can you see me?');
  const toast = bobPage.locator('.Toastify__toast').filter({ hasText: 'Alice: Can you see me?' });
  await expect(toast).toBeVisible();
  await toast.click();
  await bobPage.waitForURL(/\/chatarea\/chats\/[\w-]{36}$/);
});

test('what happened before the page listened is not lost', async ({ server, newPage }) => {
  const [alicePage, bobPage] = [await newPage(), await newPage()];
  const main = await withBridge(bobPage);
  await arrive(alicePage, server, 'Alice');
  await arrive(bobPage, server, 'Bob');
  await startChat(alicePage, 'bob', 'Hello Bob!');
  await expect(chatRow(bobPage, 'Alice')).toBeVisible();
  const chatroom = new URL(alicePage.url()).pathname.split('/').at(-1) ?? '';
  await bobPage.goto('/profile', { waitUntil: 'commit' });
  await bobPage.waitForFunction(() => 'mainSide' in window);
  await expect.poll(() => main.calls('ready')).toHaveLength(1);
  await main.emit({ type: 'open-chat', chatroom });
  await bobPage.waitForURL(`**/chatarea/chats/${chatroom}`);
});

test('a page whose bridge is refused says so and shows nothing else', async ({
  server,
  newPage,
}) => {
  const page = await newPage();
  await withBridge(page, { start: null });
  await page.goto(server.url);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('This window is not connected to the app.');
  await expect(page.getByRole('button')).toHaveText(['Reload']);
});

test('a refused certificate is named instead of a lost connection, and leads to a closer look', async ({
  server,
  newPage,
}) => {
  const page = await newPage();
  const main = await withBridge(page);
  await arrive(page, server, 'Alice');
  await expect(page.getByText(t('chatList.empty'))).toBeVisible();
  await main.emit({ type: 'certificate', isRefused: true });
  await expect(page.getByText(t('connection.certificate'))).toBeVisible();
  await page.getByRole('button', { name: t('connection.reviewCertificate') }).click();
  await expect.poll(() => main.calls('review-certificate')).toHaveLength(1);
  await main.emit({ type: 'certificate', isRefused: false });
  await expect(page.getByText(t('connection.certificate'))).toHaveCount(0);
});

test('a guest learns of a refused certificate, too', async ({ server, newPage }) => {
  const page = await newPage();
  const main = await withBridge(page);
  await page.goto(server.url);
  await expect(page.getByRole('button', { name: t('login.submit') })).toBeVisible();
  await main.emit({ type: 'certificate', isRefused: true });
  await expect(page.getByRole('button', { name: t('connection.reviewCertificate') })).toBeVisible();
});

test('a start without any answer names the certificate, if that is why', async ({
  server,
  newPage,
}) => {
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

test('after sleep the live connection is made anew at once', async ({ server, newPage }) => {
  const page = await newPage();
  const main = await withBridge(page);
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  await arrive(page, server, 'Alice');
  await expect(page.getByText(t('chatList.empty'))).toBeVisible();
  await expect.poll(() => sockets.length).toBe(1);
  await main.emit({ type: 'resume' });
  await expect.poll(() => sockets.length).toBe(2);
});
const SOUNDS: {
  name: string;
  answers: MainAnswers;
  volume?: string;
  silent: boolean;
  heard: number;
}[] = [
  { name: 'the notification makes it', answers: {}, silent: false, heard: 0 },
  {
    name: 'the page makes it where the notification was refused',
    answers: { notify: 'refused' },
    silent: false,
    heard: 1,
  },
  {
    name: 'the page makes it where notifications have none',
    answers: { start: { features: { ...START.features, notificationSound: false } } },
    silent: false,
    heard: 1,
  },
  {
    name: 'the page leaves it out where the system keeps quiet',
    answers: { notify: 'off', isDoNotDisturb: true },
    silent: false,
    heard: 0,
  },
  {
    name: 'nobody makes it at volume silent',
    answers: {},
    volume: 'silent',
    silent: true,
    heard: 0,
  },
];

for (const { name, answers, volume, silent, heard } of SOUNDS) {
  test(`one sound for a message after a hidden start: ${name}`, async ({ server, newPage }) => {
    const [alicePage, bobPage] = [await newPage(), await newPage()];
    const main = await withBridge(bobPage, answers);
    await bobPage.addInitScript(() => {
      const played: string[] = [];
      Reflect.set(window, 'played', played);
      HTMLMediaElement.prototype.play = function play() {
        played.push(this.src);
        return Promise.resolve();
      };
    });
    await arrive(alicePage, server, 'Alice');
    await arrive(bobPage, server, 'Bob');
    if (volume !== undefined) {
      await bobPage.request.patch('/api/users/volume', { data: { volume } });
      await bobPage.reload();
    }
    await expect(bobPage.getByText(t('chatList.empty'))).toBeVisible();
    await main.setFocus(false);
    // Nobody has clicked, touched or typed in Bob's page yet.
    await startChat(alicePage, 'bob', 'Hello Bob!');
    await expect.poll(() => main.calls('notify')).toMatchObject([{ silent }]);
    await expect(chatRow(bobPage, 'Alice')).toContainText('Hello Bob!');
    const played = () => bobPage.evaluate(() => Reflect.get(window, 'played') as string[]);
    await expect.poll(played).toHaveLength(heard);
    // A second sound would come at once.
    await bobPage.waitForTimeout(500);
    expect(await played()).toHaveLength(heard);
  });
}

const MICROPHONES = [
  { name: 'denied by the system', microphone: 'denied-by-system', text: 'recorder.deniedBySystem' },
  { name: 'switched off in the app', microphone: 'denied', text: 'recorder.switchedOff' },
] as const;

for (const { name, microphone, text } of MICROPHONES) {
  test(`the microphone is ${name}`, async ({ server, newPage }) => {
    const page = await newPage();
    await withBridge(page, { microphone });
    await openRoom(page, server, newPage);
    await page.getByRole('button', { name: t('composer.record') }).click();
    await expect(page.getByText(t(text)).first()).toBeVisible();
  });
}

test('there is no microphone', async ({ server, newPage }) => {
  const page = await newPage();
  await withBridge(page);
  await page.addInitScript(() => {
    navigator.mediaDevices.enumerateDevices = async () => [];
  });
  await openRoom(page, server, newPage);
  await page.getByRole('button', { name: t('composer.record') }).click();
  await expect(page.getByText(t('recorder.noDevice')).first()).toBeVisible();
});

test('a server without encryption, before the app was started again', async ({
  server,
  newPage,
}) => {
  const page = await newPage();
  await withBridge(page);
  await page.addInitScript(() => {
    Object.defineProperty(window, 'isSecureContext', { value: false });
  });
  await openRoom(page, server, newPage);
  await page.getByRole('button', { name: t('composer.record') }).click();
  await expect(page.getByText(t('recorder.needsRestart')).first()).toBeVisible();
});

test('the settings have what only the app has, and keep it', async ({ server, newPage }) => {
  const page = await newPage();
  const main = await withBridge(page, { testNotification: 'refused' });
  await arrive(page, server, 'Alice');
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
  await expect(page.getByRole('heading', { name: words('de')('settings.device') })).toBeVisible();
});

test('a browser has none of it', async ({ server, newPage }) => {
  const page = await newPage();
  await arrive(page, server, 'Alice');
  await page.goto('/settings');
  await expect(page.getByRole('heading', { name: t('settings.sound') })).toBeVisible();
  await expect(page.getByRole('heading', { name: t('settings.device') })).toHaveCount(0);
});

async function openRoom(
  page: Awaited<ReturnType<typeof arrive>>['page'],
  server: Parameters<typeof arrive>[1],
  newPage: () => Promise<typeof page>,
): Promise<void> {
  await arrive(await newPage(), server, 'Alice');
  await arrive(page, server, 'Bob');
  await startChat(page, 'alice', 'Hello Alice!');
}
