import { chatRow, message, say, startChat } from '../support/chat.ts';
import { arrive } from '../support/person.ts';
import { expect as patient, test } from '../support/test.ts';
import { words } from '../support/texts.ts';
import { expectLast, withBridge } from './support/bridge.ts';

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
  await section.getByRole('checkbox', { name: t('settings.deviceNotifications') }).click();
  await expect(section.getByRole('checkbox', { name: t('settings.deviceContent') })).toHaveCount(0);

  await section.getByRole('button', { name: t('settings.deviceTest') }).click();
  await expect(page.getByText(t('settings.deviceTestRefused')).first()).toBeVisible();
  await section.getByRole('button', { name: t('settings.deviceMicrophoneSystem') }).click();
  await expect.poll(() => main.calls('open-microphone-settings')).toHaveLength(1);

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
