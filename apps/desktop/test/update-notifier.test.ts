import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createUpdateNotifier } from '../src/main/updates/update-notifier.electron.ts';
import { writeLogTo } from '../src/main/log/log.ts';
import { openSettings } from '../src/main/settings/settings-file.ts';
import { getTexts } from '../src/texts/desktop-texts.ts';
import { dialog, recorded } from './support/fake-electron.ts';

vi.mock('electron', () => import('./support/fake-electron.ts'));

/** The calls and the result of the fake electron-updater. */
const updater = vi.hoisted(() => ({
  feeds: [] as unknown[],
  found: '1.3.0',
  failure: undefined as Error | undefined,
}));

vi.mock('electron-updater', async () => {
  const { EventEmitter } = await import('node:events');
  class FakeUpdater extends EventEmitter {
    setFeedURL = (feed: unknown) => updater.feeds.push(feed);
    // Emits a failure and rejects, as the real method does.
    checkForUpdates = async () => {
      const { failure, found } = updater;
      if (failure === undefined) return { isUpdateAvailable: true, updateInfo: { version: found } };
      this.emit('error', failure);
      throw failure;
    };
  }
  return { AppImageUpdater: FakeUpdater, MacUpdater: FakeUpdater, NsisUpdater: FakeUpdater };
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-notifier-'));
  vi.stubGlobal('__UPDATE_FEED__', '');
  // Chooses “Later” in every dialog.
  vi.spyOn(dialog, 'showMessageBox').mockResolvedValue({ response: 1 });
  updater.feeds = [];
  updater.failure = undefined;
  recorded.external = [];
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
    texts: () => getTexts('de'),
    onState: vi.fn<() => void>(),
    prepareToQuit: vi.fn<() => void>(),
  });
  await settings.saved();
  return notifier;
}

test('the notifier is off without a feed and accepts only https feeds', async () => {
  expect((await createNotifier()).state()).toBeUndefined();
  expect((await createNotifier('http://updates.example/')).state()).toBeUndefined();
  expect(updater.feeds).toEqual([]);
});

test('uses the feed of the build unless the settings name another one', async () => {
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

test('offers the download page in the language of the user if it cannot install updates', async () => {
  vi.mocked(dialog.showMessageBox).mockResolvedValue({ response: 0 });
  // The fake app runs from the sources, which cannot be updated.
  (await createNotifier('https://own.example/parley/')).checkNow();
  await expect.poll(() => recorded.external).toEqual(['https://own.example/parley/']);
  expect(dialog.showMessageBox).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      message: 'Parley 1.3.0 ist verfügbar.',
      buttons: ['Download-Seite öffnen', 'Später'],
      cancelId: 1,
    }),
  );
});

test('logs the code of a failed check, without addresses', async () => {
  const file = join(folder, 'main.log');
  writeLogTo(file);
  const message =
    'Cannot find latest.yml at https://own.example/parley/: net::ERR_NAME_NOT_RESOLVED';
  updater.failure = new Error(message);
  (await createNotifier('https://own.example/parley/')).checkNow();
  await expect
    .poll(() => vi.mocked(dialog.showMessageBox).mock.calls[0]?.[0])
    .toMatchObject({ message: getTexts('de').updateFailed });
  const text = await readFile(file, 'utf8');
  expect(text).toContain('error update-failed {"name":"Error","code":"ERR_NAME_NOT_RESOLVED"');
  expect(text).not.toContain('own.example');
});
