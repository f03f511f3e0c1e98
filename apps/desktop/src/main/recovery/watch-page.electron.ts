import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron';
import type { Texts } from '../../texts/desktop-texts.ts';
import { log } from '../log/log.ts';
import { planAfterCrash } from './crash-plan.ts';

interface WatchPageDeps {
  texts: () => Texts;
  /** Returns whether the page may navigate to an address. */
  canNavigateTo: (url: string) => boolean;
  /** Loads the page again. */
  reload: () => void;
  /** Called when the page and its listeners are gone. */
  onGone: () => void;
}

/** A page that is being watched. */
export interface PageWatch {
  /** Records that the preload got the initial values of the bridge. */
  markBridgeLoaded: () => void;
}

/**
 * Watches a window's page. Logs when the page crashes, hangs, or loads without its bridge to this process,
 * and then reloads it or asks the user.
 */
export function watchPage(window: BrowserWindow, deps: WatchPageDeps): PageWatch {
  const contents = window.webContents;
  let lastCrash = -Infinity;
  let hasBridge = false;
  let isAsking = false;
  let isTerminating = false;
  let hangDialog: AbortController | undefined;

  /** Resolves to whether the user chose to reload the page. Shows one dialog at a time. */
  async function ask(options: MessageBoxOptions): Promise<boolean> {
    if (isAsking) return false;
    isAsking = true;
    // A dialog that belongs to a hidden window would be hidden, too.
    const asked = window.isVisible()
      ? dialog.showMessageBox(window, options)
      : dialog.showMessageBox(options);
    const { response } = await asked.finally(() => {
      isAsking = false;
    });
    return response === 0 && !window.isDestroyed();
  }

  function createQuestion(message: string, detail: string, other: string): MessageBoxOptions {
    const { app, reload } = deps.texts();
    const buttons = [reload, other];
    return { type: 'warning', title: app, message, detail, buttons, defaultId: 0, cancelId: 1 };
  }

  async function offerReload(message: string, detail: string): Promise<void> {
    if (await ask(createQuestion(message, detail, deps.texts().later))) deps.reload();
  }

  async function offerToTerminate(): Promise<void> {
    hangDialog = new AbortController();
    const { signal } = hangDialog;
    const { pageHangs, pageHangsDetail, wait } = deps.texts();
    const isConfirmed = await ask({ ...createQuestion(pageHangs, pageHangsDetail, wait), signal });
    if (!isConfirmed || signal.aborted) return;
    // A hanging page does not navigate, so its process has to end first.
    isTerminating = true;
    contents.forcefullyCrashRenderer();
  }

  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log.warn('page-gone', { reason, exitCode });
    hangDialog?.abort();
    deps.onGone();
    if (isTerminating) {
      isTerminating = false;
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
    void offerToTerminate();
  });
  window.on('responsive', () => {
    log.info('page-responsive');
    hangDialog?.abort();
  });

  contents.on('did-start-navigation', ({ url, isMainFrame, isSameDocument }) => {
    // The document stays when a frame navigates, when the page shows another screen, or when the
    // navigation is about to be prevented, as Electron emits this event before `will-navigate`.
    if (!isMainFrame || isSameDocument || !deps.canNavigateTo(url)) return;
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
    markBridgeLoaded: () => {
      hasBridge = true;
    },
  };
}
