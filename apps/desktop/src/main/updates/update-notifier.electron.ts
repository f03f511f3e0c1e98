import { fill } from '@parley/texts';
import { app, BrowserWindow, dialog, shell } from 'electron';
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { SettingsFile } from '../settings/settings-file.ts';
import { log } from '../log/log.ts';
import type { Texts } from '../../texts/desktop-texts.ts';
import { canInstallUpdates } from './install-ability.ts';
import { createUpdateEngine } from './update-engine.ts';
import {
  createUpdateFlow,
  type UpdateDialogs,
  type UpdateFlow,
  type UpdateState,
} from './update-flow.ts';

/** Checks for updates and shows the results to the user. */
export interface UpdateNotifier {
  /** Returns the progress of an update; `undefined` if no feed is configured. */
  state: () => UpdateState | undefined;
  /** Checks at the user's request and always reports the result. */
  checkNow: () => void;
  /** Starts to check once a day if the user has enabled that. */
  start: () => void;
}

interface UpdateNotifierDeps {
  settings: SettingsFile;
  texts: () => Texts;
  /** Called whenever `state` has changed. */
  onState: () => void;
  /** Called before the app quits, so that its windows close instead of hiding. */
  prepareToQuit: () => void;
}

/** Milliseconds. Delays the first check until the app has started. */
const FIRST_CHECK_DELAY_MS = 60_000;
const CHECK_INTERVAL_MS = 24 * 60 * 60 * 1000;

/** Creates the notifier. It sends no request before `start` or `checkNow`. */
export function createUpdateNotifier(deps: UpdateNotifierDeps): UpdateNotifier {
  const { settings, texts } = deps;
  const feed = settings.get().updateFeed ?? __UPDATE_FEED__;
  const isConfigured = URL.parse(feed)?.protocol === 'https:';
  const dialogs = createDialogs(texts);
  let state: UpdateState = { kind: 'idle' };
  let flow: Promise<UpdateFlow> | undefined;

  async function createFlow(): Promise<UpdateFlow> {
    // Loads the updater on demand, as most runs of the app do not need it.
    const updater = await loadUpdater();
    let hasReleasedLock = false;
    updater.on('error', (error) => {
      log.error('update-failed', error);
      if (hasReleasedLock) app.requestSingleInstanceLock();
    });
    return createUpdateFlow({
      engine: createUpdateEngine(updater, feed),
      dialogs,
      canInstall,
      openDownloadPage: () => void shell.openExternal(feed),
      onRestart: () => {
        deps.prepareToQuit();
        // The new version starts before this one has exited, and quits if this one still holds the lock.
        if (process.platform !== 'linux') return;
        hasReleasedLock = true;
        app.releaseSingleInstanceLock();
      },
      onState: (next) => {
        if (next.kind !== state.kind) log.info('update', next);
        state = next;
        showProgress(next);
        deps.onState();
      },
    });
  }

  function loadFlow(): Promise<UpdateFlow> {
    flow ??= createFlow().catch((error: unknown) => {
      flow = undefined;
      throw error;
    });
    return flow;
  }

  async function checkNow(): Promise<void> {
    const loaded = await loadFlow().catch(() => undefined);
    await (loaded === undefined ? dialogs.checkFailed() : loaded.checkNow());
  }

  async function checkQuietly(): Promise<void> {
    if (!settings.get().preferences.updates) return;
    const loaded = await loadFlow().catch(() => undefined);
    await loaded?.checkQuietly();
  }

  return {
    state: () => (isConfigured ? state : undefined),
    checkNow: () => void checkNow(),
    start: () => {
      if (!isConfigured) return;
      setTimeout(() => {
        void checkQuietly();
        setInterval(() => void checkQuietly(), CHECK_INTERVAL_MS);
      }, FIRST_CHECK_DELAY_MS);
    },
  };
}

async function loadUpdater() {
  const { AppImageUpdater, MacUpdater, NsisUpdater } = await import('electron-updater');
  const { platform } = process;
  const Updater =
    platform === 'win32' ? NsisUpdater : platform === 'darwin' ? MacUpdater : AppImageUpdater;
  const updater = new Updater();
  // The log lines of the updater contain addresses and paths. Failures are logged by their codes instead.
  updater.logger = null;
  // Otherwise, the updater does not check for updates in a .deb or in an app started from the sources.
  updater.forceDevUpdateConfig = true;
  return updater;
}

function canInstall(): Promise<boolean> {
  return canInstallUpdates({
    platform: process.platform,
    isPackaged: app.isPackaged,
    executable: app.getPath('exe'),
    appImage: process.env['APPIMAGE'],
    isWritable: (folder) =>
      access(folder, constants.W_OK).then(
        () => true,
        () => false,
      ),
    describeSignature: async (bundle) => {
      const run = promisify(execFile);
      const { stderr } = await run('/usr/bin/codesign', ['--display', '--verbose=2', bundle]);
      return stderr;
    },
  });
}

/** Shows the progress of the download on the dock or taskbar. */
function showProgress(state: UpdateState): void {
  const progress = state.kind === 'downloading' ? state.percent / 100 : -1;
  for (const window of BrowserWindow.getAllWindows()) window.setProgressBar(progress);
}

function createDialogs(texts: () => Texts): UpdateDialogs {
  /** Shows a dialog and resolves to the index of the chosen button. Escape chooses the last one. */
  async function showDialog(
    message: string,
    detail: string,
    ...buttons: string[]
  ): Promise<number> {
    const { response } = await dialog.showMessageBox({
      type: 'info',
      title: texts().updateTitle,
      message,
      detail,
      buttons,
      defaultId: 0,
      cancelId: buttons.length - 1,
    });
    return response;
  }
  return {
    offer: async (version, canInstall) => {
      const {
        updateFound,
        updateOpenDetail,
        updateDownloadDetail,
        updateDownload,
        updateOpen,
        later,
      } = texts();
      const detail = canInstall ? updateDownloadDetail : updateOpenDetail;
      const get = canInstall ? updateDownload : updateOpen;
      return (await showDialog(fill(updateFound, { version }), detail, get, later)) === 0
        ? 'get'
        : 'later';
    },
    ready: async (version) => {
      const { updateReady, updateReadyDetail, restartNow, later } = texts();
      const response = await showDialog(
        fill(updateReady, { version }),
        updateReadyDetail,
        restartNow,
        later,
      );
      return response === 0 ? 'restart' : 'later';
    },
    notInstalled: async (version) => {
      const { updateNotInstalled, updateNotInstalledDetail, updateRetry, updateOpen, later } =
        texts();
      const buttons = [updateRetry, updateOpen, later];
      const response = await showDialog(
        fill(updateNotInstalled, { version }),
        updateNotInstalledDetail,
        ...buttons,
      );
      return (['retry', 'page', 'later'] as const)[response] ?? 'later';
    },
    upToDate: async () => {
      await showDialog(texts().updateNone, '', texts().updateOk);
    },
    checkFailed: async () => {
      await showDialog(texts().updateFailed, texts().updateFailedDetail, texts().updateOk);
    },
  };
}
