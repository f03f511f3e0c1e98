import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron';
import type { Texts } from '../../texts/texts.ts';
import { log } from '../log/log.ts';
import { planAfterCrash } from '../recovery/crash-plan.ts';

interface WatchPageDeps {
  texts: () => Texts;
  /** Loads the page again, from its beginning. */
  reload: () => void;
  /** The page and everything that listened in it are gone. */
  onGone: () => void;
}

/** What is told to the watch of a page. */
export interface PageWatch {
  /** The preload asked for what the bridge starts with, and got it. */
  noteBridge: () => void;
}

/**
 * Watches a window's page: one that crashes, hangs, or comes up without its bridge to this process is
 * logged and loaded again, or the user is asked whether to.
 */
export function watchPage(window: BrowserWindow, deps: WatchPageDeps): PageWatch {
  const contents = window.webContents;
  let lastCrash = -Infinity;
  let hasBridge = false;
  let isAsking = false;
  let isEnding = false;
  let hanging: AbortController | undefined;

  /** Resolves to whether the user wants the page loaded again. Asks one question at a time. */
  async function ask(options: MessageBoxOptions): Promise<boolean> {
    if (isAsking) return false;
    isAsking = true;
    // A dialog of its own where the window is hidden: a sheet would not be seen.
    const asked = window.isVisible()
      ? dialog.showMessageBox(window, options)
      : dialog.showMessageBox(options);
    const { response } = await asked.finally(() => {
      isAsking = false;
    });
    return response === 0 && !window.isDestroyed();
  }

  function question(message: string, detail: string, other: string): MessageBoxOptions {
    const { app, reload } = deps.texts();
    const buttons = [reload, other];
    return { type: 'warning', title: app, message, detail, buttons, defaultId: 0, cancelId: 1 };
  }

  async function offerReload(message: string, detail: string): Promise<void> {
    if (await ask(question(message, detail, deps.texts().later))) deps.reload();
  }

  async function offerToEnd(): Promise<void> {
    hanging = new AbortController();
    const { signal } = hanging;
    const { pageHangs, pageHangsDetail, wait } = deps.texts();
    const wanted = await ask({ ...question(pageHangs, pageHangsDetail, wait), signal });
    if (!wanted || signal.aborted) return;
    // A page that hangs takes no navigation: its process has to end first.
    isEnding = true;
    contents.forcefullyCrashRenderer();
  }

  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log.warn('page-gone', { reason, exitCode });
    hanging?.abort();
    deps.onGone();
    if (isEnding) {
      isEnding = false;
      deps.reload();
      return;
    }
    const plan = planAfterCrash(reason, Date.now() - lastCrash);
    lastCrash = Date.now();
    const { pageCrashed, pageCrashedDetail } = deps.texts();
    if (plan === 'reload') deps.reload();
    else if (plan === 'ask') void offerReload(pageCrashed, pageCrashedDetail);
  });
  window.on('unresponsive', () => {
    log.warn('page-unresponsive');
    void offerToEnd();
  });
  window.on('responsive', () => {
    log.info('page-responsive');
    hanging?.abort();
  });

  contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    // A frame of the page going elsewhere, or another screen of it, changes nothing for the listener.
    if (!isMainFrame || isSameDocument) return;
    hasBridge = false;
    deps.onGone();
  });
  contents.on('preload-error', (_event, _path, error) => log.error('preload-failed', error));
  contents.on('dom-ready', () => {
    if (hasBridge) return;
    log.warn('bridge-missing');
    const { pageBroken, pageBrokenDetail } = deps.texts();
    void offerReload(pageBroken, pageBrokenDetail);
  });

  return {
    noteBridge: () => {
      hasBridge = true;
    },
  };
}
