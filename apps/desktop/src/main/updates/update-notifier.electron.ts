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
  /** Shows a dialog with choices and their buttons. Resolves to the chosen one. Escape chooses the last one. */
  async function ask<Choice extends string>(
    message: string,
    detail: string,
    choices: Readonly<Record<Choice, string>>,
  ): Promise<Choice> {
    const names = Object.keys(choices) as Choice[];
    const last = names.length - 1;
    const { response } = await dialog.showMessageBox({
      type: 'info',
      title: texts().updateTitle,
      message,
      detail,
      buttons: Object.values(choices),
      defaultId: 0,
      cancelId: last,
    });
    return names[response] ?? (names[last] as Choice);
  }
  return {
    offer: (version, canInstall) => {
      const { updateFound, updateOpenDetail, updateDownloadDetail, ...buttons } = texts();
      const detail = canInstall ? updateDownloadDetail : updateOpenDetail;
      const get = canInstall ? buttons.updateDownload : buttons.updateOpen;
      return ask(fill(updateFound, { version }), detail, { get, later: buttons.later });
    },
    ready: (version) => {
      const { updateReady, updateReadyDetail, restartNow: restart, later } = texts();
      return ask(fill(updateReady, { version }), updateReadyDetail, { restart, later });
    },
    notInstalled: (version) => {
      const { updateNotInstalled, updateNotInstalledDetail, ...buttons } = texts();
      const { updateRetry: retry, updateOpen: page, later } = buttons;
      const message = fill(updateNotInstalled, { version });
      return ask(message, updateNotInstalledDetail, { retry, page, later });
    },
    upToDate: async () => {
      await ask(texts().updateNone, '', { ok: texts().updateOk });
    },
    checkFailed: async () => {
      await ask(texts().updateFailed, texts().updateFailedDetail, { ok: texts().updateOk });
    },
  };
}
