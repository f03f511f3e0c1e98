import { createTranslator } from '@parley/texts/translator';
import { createDesktopHost } from '@parley/web/desktop-host';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { createFakeBridge, type DesktopResponses } from './support/fake-bridge.ts';
import { holdRequests } from './support/hold-requests.ts';
import { chatRowOf, toastWith } from './support/locators.ts';
import { createImageFile } from './support/media-files.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { expectPath } from './support/expect-path.ts';
import { pickFiles } from './support/pick-files.ts';

const t = createTranslator('en');

const reviewButton = page.getByRole('button', { name: t('connection.reviewCertificate') });

/** Opens a chatroom in the desktop app and starts to record. */
async function startRecording(responses?: DesktopResponses): Promise<void> {
  await openChatOf('Bob', { host: createDesktopHost(createFakeBridge(responses)) });
  await page.getByRole('button', { name: t('composer.record') }).click();
}

test('a message is shown in the app if the system refuses its notification', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  const bridge = createFakeBridge({ notify: 'refused' });
  await openApp({ server, user: 'Bob', host: createDesktopHost(bridge) });
  await expect.element(chatRowOf('Alice')).toBeVisible();
  const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  onTestFinished(() => hasFocus.mockRestore());
  window.dispatchEvent(new Event('blur'));
  await sendTextAs(server, 'Alice', room, 'Can you see me?');
  const toast = toastWith('Alice: Can you see me?');
  await expect.element(toast).toBeVisible();
  expect(bridge.notify).toHaveBeenCalledOnce();
  // A click of the mouse could hit the toast while it moves.
  (toast.element() as HTMLElement).click();
  await expectPath(`/chatarea/chats/${room}`);
});

test('a refused certificate is shown instead of a lost connection and can be reviewed', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  const bridge = createFakeBridge();
  await openApp({ server, user: 'Bob', host: createDesktopHost(bridge) });
  await expect.element(chatRowOf('Alice')).toBeVisible();
  // When the live connection opens, which delivers the message, the certificate counts as accepted.
  await sendTextAs(server, 'Alice', room, 'Connected');
  await expect.element(chatRowOf('Alice')).toMatchTextContent('Connected');
  bridge.emit({ type: 'certificate', isRefused: true });
  const banner = page.getByText(t('connection.certificate'), { exact: false });
  await expect.element(banner).toBeVisible();
  await reviewButton.click();
  expect(bridge.reviewCertificate).toHaveBeenCalledOnce();
  bridge.emit({ type: 'certificate', isRefused: false });
  await expect.element(banner).not.toBeInTheDocument();
});

test('a guest sees that the certificate is refused', async () => {
  const bridge = createFakeBridge();
  await openApp({ host: createDesktopHost(bridge) });
  await expect.element(page.getByRole('button', { name: t('login.submit') })).toBeVisible();
  bridge.emit({ type: 'certificate', isRefused: true });
  await expect.element(reviewButton).toBeVisible();
});

test('a failed start shows that the certificate is refused', async () => {
  const server = createServerWith([]);
  server.setReachable(false);
  const bridge = createFakeBridge();
  await openApp({ server, host: createDesktopHost(bridge) });
  await expect.element(page.getByRole('heading', { name: t('app.startFailed') })).toBeVisible();
  bridge.emit({ type: 'certificate', isRefused: true });
  await expect.element(page.getByText(t('connection.certificateHelp'))).toBeVisible();
  await reviewButton.click();
  expect(bridge.reviewCertificate).toHaveBeenCalledOnce();
});

test('an upload shows the progress that the app reports until it has arrived', async () => {
  const bridge = createFakeBridge();
  const stop = vi.fn<() => void>();
  bridge.followUpload.mockReturnValue(stop);
  const { server } = await openChatOf('Bob', { host: createDesktopHost(bridge) });
  const releaseUpload = holdRequests(server, 'uploadImage');
  pickFiles(await createImageFile(40, 30));
  await page.getByRole('button', { name: t('composer.sendImage_one') }).click();
  await expect.poll(() => bridge.followUpload.mock.lastCall).toBeDefined();
  const progress = page.getByRole('article').last().getByCss('progress');
  await expect
    .poll(() => {
      const [, report] = bridge.followUpload.mock.lastCall ?? [];
      report?.(0.4);
      return progress.query()?.getAttribute('value');
    })
    .toBe('40');
  expect(stop).not.toHaveBeenCalled();
  releaseUpload();
  await expect.poll(() => stop.mock.calls).toHaveLength(1);
});

for (const [name, microphone, text] of [
  ['denied by the system', 'denied-by-system', 'recorder.deniedBySystem'],
  ['switched off in the app', 'denied', 'recorder.switchedOff'],
] as const) {
  test(`the recorder shows that the microphone is ${name}`, async () => {
    await startRecording({ microphone });
    await expect.element(page.getByText(t(text)).first()).toBeVisible();
  });
}

test('the recorder shows that there is no microphone', async () => {
  const enumerate = vi.spyOn(navigator.mediaDevices, 'enumerateDevices').mockResolvedValue([]);
  onTestFinished(() => enumerate.mockRestore());
  await startRecording();
  await expect.element(page.getByText(t('recorder.noDevice')).first()).toBeVisible();
});

test('the recorder shows that recording on an unencrypted server requires a restart of the app', async () => {
  const isSecure = vi.spyOn(window, 'isSecureContext', 'get').mockReturnValue(false);
  onTestFinished(() => isSecure.mockRestore());
  await startRecording();
  await expect.element(page.getByText(t('recorder.needsRestart')).first()).toBeVisible();
});

test('the settings of the app are shown and saved', async () => {
  const bridge = createFakeBridge({ testNotification: 'refused' });
  await openApp({ user: 'Alice', path: '/settings', host: createDesktopHost(bridge) });
  const section = page.getByRole('region', { name: t('settings.device') });
  const checkbox = (key: string) => section.getByRole('checkbox', { name: t(`settings.${key}`) });
  const press = (key: string) =>
    section.getByRole('button', { name: t(`settings.${key}`) }).click();

  await checkbox('deviceTray').click();
  await expect.element(checkbox('deviceTray')).toBeChecked();
  expect(bridge.setPreferences).toHaveBeenLastCalledWith({ closeToTray: true });
  await checkbox('deviceLogin').click();
  await expect.element(checkbox('deviceLogin')).toBeChecked();
  expect(bridge.setPreferences).toHaveBeenLastCalledWith({ startAtLogin: true });
  await checkbox('deviceNotifications').click();
  await expect.element(checkbox('deviceContent')).not.toBeInTheDocument();

  await press('deviceTest');
  await expect.element(page.getByText(t('settings.deviceTestRefused')).first()).toBeVisible();
  await press('deviceMicrophoneSystem');
  expect(bridge.openMicrophoneSettings).toHaveBeenCalledOnce();
  await press('deviceServers');
  expect(bridge.manageServers).toHaveBeenCalledOnce();

  await page.getByRole('radio', { name: 'Deutsch' }).click();
  const germanTitle = createTranslator('de')('settings.device');
  await expect.element(page.getByRole('heading', { name: germanTitle })).toBeVisible();
  expect(bridge.setLanguage).toHaveBeenLastCalledWith('de');
});

test('the settings of the app are not shown in a browser', async () => {
  await openApp({ user: 'Alice', path: '/settings' });
  await expect.element(page.getByRole('heading', { name: t('settings.sound') })).toBeVisible();
  const heading = page.getByRole('heading', { name: t('settings.device') });
  await expect.element(heading).not.toBeInTheDocument();
});
