import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createUpdateNotifier } from '../src/main/electron/notify-updates.ts';
import { openSettings } from '../src/main/settings/settings-file.ts';
import { textsOf } from '../src/texts/texts.ts';
import { dialog, seen } from './support/fake-electron.ts';

vi.mock('electron', () => import('./support/fake-electron.ts'));

/** What electron-updater was told, with a version that is newer. */
const updater = vi.hoisted(() => ({ feeds: [] as unknown[], found: '1.3.0' }));

vi.mock('electron-updater', async () => {
  const { EventEmitter } = await import('node:events');
  class FakeUpdater extends EventEmitter {
    setFeedURL = (feed: unknown) => updater.feeds.push(feed);
    checkForUpdates = async () => ({
      isUpdateAvailable: true,
      updateInfo: { version: updater.found },
    });
  }
  return { AppImageUpdater: FakeUpdater, MacUpdater: FakeUpdater, NsisUpdater: FakeUpdater };
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-notifier-'));
  vi.stubGlobal('__UPDATE_FEED__', '');
  // «Later», whatever the question.
  vi.spyOn(dialog, 'showMessageBox').mockResolvedValue({ response: 1 });
  updater.feeds = [];
  seen.external = [];
});
afterEach(async () => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

async function createNotifier(updateFeed?: string) {
  const settings = await openSettings(join(folder, 'settings.json'));
  if (updateFeed !== undefined) settings.change((all) => ({ ...all, updateFeed }));
  const notifier = createUpdateNotifier({
    settings,
    texts: () => textsOf('de'),
    onState: vi.fn<() => void>(),
    prepareToQuit: vi.fn<() => void>(),
  });
  await settings.saved();
  return notifier;
}

test('is off until a feed is configured, and takes none that is not encrypted', async () => {
  expect((await createNotifier()).state()).toBeUndefined();
  expect((await createNotifier('http://updates.example/')).state()).toBeUndefined();
  expect(updater.feeds).toEqual([]);
});

test('uses the feed of the build, and the one in the settings rather than that', async () => {
  vi.stubGlobal('__UPDATE_FEED__', 'https://publisher.example/parley');
  const builtIn = await createNotifier();
  expect(builtIn.state()).toEqual({ kind: 'idle' });
  builtIn.checkNow();
  await expect
    .poll(() => updater.feeds)
    .toEqual([{ provider: 'generic', url: 'https://publisher.example/parley' }]);
  (await createNotifier('https://own.example/parley/')).checkNow();
  await expect
    .poll(() => updater.feeds.at(-1))
    .toEqual({ provider: 'generic', url: 'https://own.example/parley/' });
});

test('offers the download page in the language of the user where it cannot install', async () => {
  vi.mocked(dialog.showMessageBox).mockResolvedValue({ response: 0 });
  // The fake app runs from the sources, which no update replaces.
  (await createNotifier('https://own.example/parley/')).checkNow();
  await expect.poll(() => seen.external).toEqual(['https://own.example/parley/']);
  expect(dialog.showMessageBox).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      message: 'Parley 1.3.0 ist verfügbar.',
      buttons: ['Download-Seite öffnen', 'Später'],
      cancelId: 1,
    }),
  );
});
