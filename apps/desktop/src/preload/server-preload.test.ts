import type { DesktopBridge, DesktopPreferences } from '@parley/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { CHANNELS } from '../ipc/channels.ts';

const ipc = vi.hoisted(() => ({
  exposeInMainWorld: vi.fn<(name: string, bridge: unknown) => void>(),
  sendSync: vi.fn<(channel: string) => unknown>(),
  send: vi.fn<(channel: string, ...args: unknown[]) => void>(),
  invoke: vi.fn<(channel: string, ...args: unknown[]) => Promise<unknown>>(),
  on: vi.fn<(channel: string, listener: (...args: unknown[]) => void) => void>(),
  off: vi.fn<(channel: string, listener: (...args: unknown[]) => void) => void>(),
}));

vi.mock('electron', () => ({
  contextBridge: { exposeInMainWorld: ipc.exposeInMainWorld },
  ipcRenderer: ipc,
}));

beforeEach(() => {
  vi.resetAllMocks();
  vi.resetModules();
});

const START = { platform: 'linux' };

/** Loads the preload script. Returns what it shows to the page. */
async function loadBridge(start: unknown = START): Promise<DesktopBridge> {
  ipc.sendSync.mockReturnValue(start);
  await import('./server-preload.ts');
  expect(ipc.exposeInMainWorld).toHaveBeenCalledExactlyOnceWith('parley', expect.anything());
  return ipc.exposeInMainWorld.mock.calls[0]?.[1] as DesktopBridge;
}

test('each call of the page is sent over its own channel', async () => {
  const bridge = await loadBridge();
  const notification = { chatroom: 'room', title: 'Alice', body: 'Hi' } as Parameters<
    DesktopBridge['notify']
  >[0];
  const preferences = { openAtLogin: true } as Partial<DesktopPreferences>;
  const invoked = [
    [bridge.notify(notification), CHANNELS.notify, notification],
    [bridge.isDoNotDisturb(), CHANNELS.isDoNotDisturb],
    [bridge.testNotification(), CHANNELS.testNotification],
    [bridge.microphone(), CHANNELS.getMicrophoneState],
    [bridge.setPreferences(preferences), CHANNELS.setPreferences, preferences],
    [bridge.storageKey(), CHANNELS.storageKey],
  ];
  expect(ipc.invoke.mock.calls).toEqual(invoked.map(([, ...call]) => call));
  bridge.withdraw('room');
  const unread: Parameters<DesktopBridge['setUnread']>[0] = { count: 3 };
  bridge.setUnread(unread);
  bridge.openMicrophoneSettings();
  bridge.manageServers();
  bridge.checkForUpdates();
  bridge.reviewCertificate();
  bridge.setLanguage('de');
  expect(ipc.send.mock.calls).toEqual([
    [CHANNELS.withdrawNotification, 'room'],
    [CHANNELS.setUnread, unread],
    [CHANNELS.openMicrophoneSettings],
    [CHANNELS.manageServers],
    [CHANNELS.checkForUpdates],
    [CHANNELS.reviewCertificate],
    [CHANNELS.setLanguage, 'de'],
  ]);
  expect(bridge.start).toBe(START);
});

test('events reach the page without their sender until it no longer listens', async () => {
  const bridge = await loadBridge();
  const listener = vi.fn<Parameters<DesktopBridge['onEvent']>[0]>();
  const stop = bridge.onEvent(listener);
  expect(ipc.send).toHaveBeenCalledExactlyOnceWith(CHANNELS.ready);
  const [channel, handle] = ipc.on.mock.calls[0] ?? [];
  expect(channel).toBe(CHANNELS.event);
  handle?.({ sender: 'the main process' }, { type: 'resume' });
  expect(listener).toHaveBeenCalledExactlyOnceWith({ type: 'resume' });
  stop();
  expect(ipc.off).toHaveBeenCalledExactlyOnceWith(CHANNELS.event, handle);
});

test('the page gets the progress of the upload that it follows, and reports its end', async () => {
  const bridge = await loadBridge();
  const onProgress = vi.fn<(share: number) => void>();
  const stop = bridge.followUpload('upload-2', onProgress);
  const [channel, handle] = ipc.on.mock.calls[0] ?? [];
  expect(channel).toBe(CHANNELS.uploadProgress);
  handle?.({}, 'upload-1', 0.25);
  handle?.({}, 'upload-2', 0.5);
  expect(onProgress).toHaveBeenCalledExactlyOnceWith(0.5);
  stop();
  expect(ipc.off).toHaveBeenCalledExactlyOnceWith(CHANNELS.uploadProgress, handle);
  expect(ipc.send).toHaveBeenCalledExactlyOnceWith(CHANNELS.endUpload, 'upload-2');
});

test('a page that the main process refuses gets only that', async () => {
  expect(await loadBridge(null)).toEqual({ start: null });
  vi.resetAllMocks();
  vi.resetModules();
  ipc.sendSync.mockImplementation(() => {
    throw new Error('no response');
  });
  await import('./server-preload.ts');
  expect(ipc.exposeInMainWorld).toHaveBeenCalledExactlyOnceWith('parley', { start: null });
});
