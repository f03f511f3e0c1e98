import type { UpdateEngine } from './update-engine.ts';

/** The progress of an update. */
export type UpdateState =
  | { kind: 'idle' }
  /** `percent` from 0 to 100, in steps of 5. */
  | { kind: 'downloading'; version: string; percent: number }
  | { kind: 'ready'; version: string };

/** The dialogs of an update. Each resolves to the user's choice. */
export interface UpdateDialogs {
  offer: (version: string, canInstall: boolean) => Promise<'get' | 'later'>;
  ready: (version: string) => Promise<'restart' | 'later'>;
  notInstalled: (version: string) => Promise<'retry' | 'page' | 'later'>;
  upToDate: () => Promise<void>;
  checkFailed: () => Promise<void>;
}

interface UpdateFlowDeps {
  engine: UpdateEngine;
  dialogs: UpdateDialogs;
  canInstall: () => Promise<boolean>;
  openDownloadPage: () => void;
  /** Called before the app quits in order to install. */
  onRestart: () => void;
  onState: (state: UpdateState) => void;
}

/** Checks for updates, and downloads and installs them if the user agrees. */
export interface UpdateFlow {
  /** Checks at the user's request and always reports the result. */
  checkNow: () => Promise<void>;
  /** Checks in the background and offers each version only once. */
  checkQuietly: () => Promise<void>;
}

const STEP_PERCENT = 5;

/** Creates the flow. It does nothing before the first check. */
export function createUpdateFlow(deps: UpdateFlowDeps): UpdateFlow {
  const { engine, dialogs } = deps;
  let state: UpdateState = { kind: 'idle' };
  const actions = createActionRunner();
  let offered: string | undefined;

  function setState(next: UpdateState): void {
    state = next;
    deps.onState(next);
  }

  engine.onLateFailure(() => {
    if (state.kind !== 'ready') return;
    const { version } = state;
    setState({ kind: 'idle' });
    void actions.idle().then(() => actions.run(true, () => offerOtherWays(version)));
  });

  async function check(): Promise<void> {
    if (state.kind === 'ready') {
      await offerRestart(state.version);
      return;
    }
    let version: string | undefined;
    try {
      version = await engine.check();
    } catch {
      if (actions.isUserWaiting()) await dialogs.checkFailed();
      return;
    }
    if (version === undefined) {
      if (actions.isUserWaiting()) await dialogs.upToDate();
      return;
    }
    if (version === offered && !actions.isUserWaiting()) return;
    offered = version;
    const canInstall = await deps.canInstall();
    if ((await dialogs.offer(version, canInstall)) === 'later') return;
    if (canInstall) await download(version);
    else deps.openDownloadPage();
  }

  async function download(version: string): Promise<void> {
    setState({ kind: 'downloading', version, percent: 0 });
    try {
      await engine.download((exact) => {
        const percent = Math.floor(exact / STEP_PERCENT) * STEP_PERCENT;
        if (state.kind !== 'downloading' || state.percent === percent) return;
        setState({ kind: 'downloading', version, percent });
      });
    } catch {
      setState({ kind: 'idle' });
      await offerOtherWays(version);
      return;
    }
    setState({ kind: 'ready', version });
    await offerRestart(version);
  }

  async function offerOtherWays(version: string): Promise<void> {
    const choice = await dialogs.notInstalled(version);
    if (choice === 'retry') await download(version);
    else if (choice === 'page') deps.openDownloadPage();
  }

  async function offerRestart(version: string): Promise<void> {
    const choice = await dialogs.ready(version);
    // The update may have failed while the dialog was open.
    if (choice === 'later' || state.kind !== 'ready') return;
    deps.onRestart();
    engine.restart();
  }

  return {
    checkNow: () => actions.run(true, check),
    // A downloaded update is installed when the app quits, without another dialog.
    checkQuietly: async () => {
      if (state.kind === 'idle') await actions.run(false, check);
    },
  };
}

/** Runs one action at a time. */
interface ActionRunner {
  /**
   * Runs an action. While another action runs, waits for that one instead.
   * @param isUserWaiting whether the user waits for the result
   */
  run: (isUserWaiting: boolean, act: () => Promise<void>) => Promise<void>;
  /** Returns whether the user waits for the result of the current action. */
  isUserWaiting: () => boolean;
  /** Settles with the current action. */
  idle: () => Promise<void>;
}

function createActionRunner(): ActionRunner {
  let current: { isUserWaiting: boolean; done: Promise<void> } | undefined;
  return {
    run: (isUserWaiting, act) => {
      if (current !== undefined) {
        current.isUserWaiting ||= isUserWaiting;
        return current.done;
      }
      const running = { isUserWaiting, done: Promise.resolve() };
      current = running;
      running.done = act().finally(() => {
        current = undefined;
      });
      return running.done;
    },
    isUserWaiting: () => current?.isUserWaiting === true,
    idle: () => current?.done ?? Promise.resolve(),
  };
}
