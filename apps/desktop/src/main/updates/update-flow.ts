import type { UpdateEngine } from './update-engine.ts';

/** How far an update has come. */
export type UpdateState =
  | { kind: 'idle' }
  /** `percent` from 0 to 100, in steps of 5. */
  | { kind: 'downloading'; version: string; percent: number }
  | { kind: 'ready'; version: string };

/** What the user is asked and told. Each resolves to the choice. */
export interface UpdateDialogs {
  offer: (version: string, canInstall: boolean) => Promise<'get' | 'later'>;
  ready: (version: string) => Promise<'restart' | 'later'>;
  notInstalled: (version: string) => Promise<'retry' | 'page' | 'later'>;
  isNewest: () => Promise<void>;
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

/** Finds updates and gets them if the user wants them. */
export interface UpdateFlow {
  /** Checks for the user, who gets an answer in any case. */
  checkNow: () => Promise<void>;
  /** Checks without being asked: speaks up only once about each version. */
  checkQuietly: () => Promise<void>;
}

const STEP_PERCENT = 5;

/** Does nothing before the first check. */
export function createUpdateFlow(deps: UpdateFlowDeps): UpdateFlow {
  const { engine, dialogs } = deps;
  let state: UpdateState = { kind: 'idle' };
  let current: { isWanted: boolean; done: Promise<void> } | undefined;
  let offered: string | undefined;

  function setState(next: UpdateState): void {
    state = next;
    deps.onState(next);
  }

  /** Runs one thing at a time. A caller in the meantime gets the answer of what is going on. */
  function run(isWanted: boolean, act: () => Promise<void>): Promise<void> {
    if (current !== undefined) {
      current.isWanted ||= isWanted;
      return current.done;
    }
    const running = { isWanted, done: Promise.resolve() };
    current = running;
    running.done = act().finally(() => {
      current = undefined;
    });
    return running.done;
  }

  const isWanted = () => current?.isWanted === true;

  engine.onLateFailure(() => {
    if (state.kind !== 'ready') return;
    const { version } = state;
    setState({ kind: 'idle' });
    const before = current?.done ?? Promise.resolve();
    void before.then(() => run(true, () => offerOtherWays(version)));
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
      if (isWanted()) await dialogs.checkFailed();
      return;
    }
    if (version === undefined) {
      if (isWanted()) await dialogs.isNewest();
      return;
    }
    if (version === offered && !isWanted()) return;
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
    // The update may have failed while the question was on the screen.
    if (choice === 'later' || state.kind !== 'ready') return;
    deps.onRestart();
    engine.restart();
  }

  return {
    checkNow: () => run(true, check),
    // A downloaded update waits for the app to quit, without another question.
    checkQuietly: async () => {
      if (state.kind === 'idle') await run(false, check);
    },
  };
}
