import { beforeEach, expect, test } from 'vitest';
import type { UpdateEngine } from './update-engine.ts';
import { createUpdateFlow, type UpdateDialogs, type UpdateState } from './update-flow.ts';

let calls: string[];
let states: UpdateState[];
let version: string | undefined;
let canInstall: boolean;
let failures: { check: boolean; downloads: number };
let choices: {
  offer: 'get' | 'later';
  ready: 'restart' | 'later';
  notInstalled: NotInstalledChoice;
};
type NotInstalledChoice = Awaited<ReturnType<UpdateDialogs['notInstalled']>>;
/** Reports that a downloaded update could not be installed. */
let failLate: () => void;
/** Keeps the `ready` dialog open until it resolves. */
let readyDialog: Promise<void> | undefined;

beforeEach(() => {
  calls = [];
  states = [];
  version = '1.3.0';
  canInstall = true;
  failures = { check: false, downloads: 0 };
  choices = { offer: 'get', ready: 'later', notInstalled: 'later' };
  readyDialog = undefined;
});

function createFlow() {
  const engine: UpdateEngine = {
    check: async () => {
      calls.push('check');
      if (failures.check) throw new Error('no feed');
      return version;
    },
    download: async (onProgress) => {
      calls.push('download');
      for (const percent of [0.4, 3, 21.5, 24, 100]) onProgress(percent);
      failures.downloads -= 1;
      if (failures.downloads >= 0) throw new Error('connection lost');
    },
    restart: () => calls.push('restart'),
    onLateFailure: (handle) => {
      failLate = handle;
    },
  };
  return createUpdateFlow({
    engine,
    canInstall: async () => canInstall,
    dialogs: {
      offer: async (found, isInstallable) => {
        calls.push(`offer ${found} ${isInstallable ? 'to install' : 'to download'}`);
        return choices.offer;
      },
      ready: async () => {
        calls.push('ready?');
        await readyDialog;
        return choices.ready;
      },
      notInstalled: async () => {
        calls.push('not installed');
        const choice = choices.notInstalled;
        choices.notInstalled = 'later';
        return choice;
      },
      upToDate: async () => void calls.push('up to date'),
      checkFailed: async () => void calls.push('check failed'),
    },
    openDownloadPage: () => calls.push('open page'),
    onRestart: () => calls.push('prepare'),
    onState: (state) => states.push(state),
  });
}

test('downloads and restarts only if the user agrees, and reports progress in steps', async () => {
  const flow = createFlow();
  choices.offer = 'later';
  await flow.checkNow();
  expect(calls).toEqual(['check', 'offer 1.3.0 to install']);
  expect(states).toEqual([]);

  choices.offer = 'get';
  choices.ready = 'restart';
  await flow.checkNow();
  expect(calls.slice(2)).toEqual([
    'check',
    'offer 1.3.0 to install',
    'download',
    'ready?',
    'prepare',
    'restart',
  ]);
  const downloadingAt = (percent: number) => ({ kind: 'downloading', version: '1.3.0', percent });
  expect(states).toEqual([
    downloadingAt(0),
    downloadingAt(20),
    downloadingAt(100),
    { kind: 'ready', version: '1.3.0' },
  ]);
});

test('opens the download page if the installation cannot update itself', async () => {
  canInstall = false;
  await createFlow().checkNow();
  expect(calls).toEqual(['check', 'offer 1.3.0 to download', 'open page']);
});

test('reports the result of a requested check if there is no update or the check fails', async () => {
  const flow = createFlow();
  version = undefined;
  await flow.checkNow();
  failures.check = true;
  await flow.checkNow();
  expect(calls).toEqual(['check', 'up to date', 'check', 'check failed']);
});

test('offers each version only once in background checks', async () => {
  const flow = createFlow();
  choices.offer = 'later';
  failures.check = true;
  await flow.checkQuietly();
  failures.check = false;
  version = undefined;
  await flow.checkQuietly();
  expect(calls).toEqual(['check', 'check']);
  version = '1.3.0';
  await flow.checkQuietly();
  await flow.checkQuietly();
  version = '1.4.0';
  await flow.checkQuietly();
  expect(calls.filter((text) => text.startsWith('offer'))).toEqual([
    'offer 1.3.0 to install',
    'offer 1.4.0 to install',
  ]);
});

test('reports the result of a running background check if the user requests a check, without checking twice', async () => {
  const flow = createFlow();
  version = undefined;
  await Promise.all([flow.checkQuietly(), flow.checkNow()]);
  expect(calls).toEqual(['check', 'up to date']);
});

test('shows no dialog in background checks once an update is ready, and offers the restart on request', async () => {
  const flow = createFlow();
  await flow.checkNow();
  calls = [];
  await flow.checkQuietly();
  expect(calls).toEqual([]);
  await flow.checkNow();
  expect(calls).toEqual(['ready?']);
});

test('offers a retry and the download page after a failed download or installation', async () => {
  const flow = createFlow();
  failures.downloads = 1;
  choices.notInstalled = 'retry';
  await flow.checkNow();
  expect(calls.slice(2)).toEqual(['download', 'not installed', 'download', 'ready?']);

  calls = [];
  states = [];
  failLate();
  await expect.poll(() => calls).toEqual(['not installed']);
  expect(states).toEqual([{ kind: 'idle' }]);

  failures.downloads = 1;
  choices.notInstalled = 'page';
  await flow.checkNow();
  expect(calls.slice(-3)).toEqual(['download', 'not installed', 'open page']);
  expect(states.at(-1)).toEqual({ kind: 'idle' });
});

test('does not restart if the update fails while the restart dialog is open', async () => {
  const dialog = Promise.withResolvers<void>();
  readyDialog = dialog.promise;
  choices.ready = 'restart';
  const checked = createFlow().checkNow();
  await expect.poll(() => calls.at(-1)).toBe('ready?');
  failLate();
  dialog.resolve();
  await checked;
  await expect.poll(() => calls.at(-1)).toBe('not installed');
  expect(calls).not.toContain('restart');
});
