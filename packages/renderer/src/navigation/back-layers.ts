import {
  NavigationType,
  type createBrowserRouter,
  type NavigateOptions,
  type To,
} from 'react-router-dom';
import type { BackLayers } from '../ui/use-close-on-back.ts';
import { depthOf, openImageOf, withState } from './entry-state.ts';
import { screenPath } from './paths.ts';

/** The part of the router that is needed. */
type LayersRouter = Pick<
  ReturnType<typeof createBrowserRouter>,
  'state' | 'subscribe' | 'navigate'
>;

/** Milliseconds after which a step in the history counts as failed. Slow devices take long for a step. */
const STEP_MAX = 5_000;

/** A step in the history that the browser has not made yet. */
interface Step {
  /** Whether it leaves the entries of closed layers. Otherwise, a screen goes back. */
  isOfLayers: boolean;
  done: Promise<void>;
  resolve: () => void;
  timer: ReturnType<typeof setTimeout>;
}

/** The layers and the function that connects them with the router. */
export interface RouterBackLayers extends BackLayers {
  /** Returns a function that disconnects them, after which the router navigates no more. */
  attach: (router: LayersRouter) => () => void;
  /**
   * Tells that the screen of a history entry is shown, and has opened its layers, such as the search of a list.
   * @param key the key of the entry's location
   */
  showScreen: (key: string) => void;
  /** Closes what is above the screens, also an open image. Resolves once the history has left its entries. */
  closeOverlays: () => Promise<void>;
}

/**
 * Creates the layers that the back gesture closes. Each open layer adds an entry to the history, whose state has the
 * number of layers. Going back to an entry with fewer layers closes the others. A layer that is closed otherwise goes
 * back by itself. An entry that stays behind, because a layer was closed by following a link, is skipped when the user
 * comes back to it.
 *
 * With a mouse, the back button leaves the screen as on any page.
 */
export function createBackLayers(): RouterBackLayers {
  const layers: (() => void)[] = [];
  /** Those that are above the screens, also with a mouse. */
  const overlays = new Set<() => void>();
  let router: LayersRouter | undefined;
  /** The router's own function, which waits for no step. */
  let navigate: LayersRouter['navigate'] | undefined;
  /** The path of the screen on which the last layer was opened. */
  let openedAt: string | undefined;
  /** The key of the location whose screen is shown. */
  let shownKey: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let step: Step | undefined;

  function adjust(): void {
    timer = undefined;
    // A link that closes a layer navigates by itself. Changes of the router's state adjust again.
    if (!router || !navigate || step || router.state.navigation.state !== 'idle') return;
    const { pathname, search, hash, state, key } = router.state.location;
    const depth = depthOf(state);
    if (depth < layers.length) {
      // A link leads to another screen before what is open on this one is removed.
      if (screenPath(pathname) !== openedAt) return;
      const next = withState(state, { layers: depth + 1 });
      void navigate({ pathname, search, hash }, { state: next, preventScrollReset: true });
    } else if (depth > layers.length && key === shownKey) stepBack(depth - layers.length);
  }

  function stepBack(entries: number): void {
    beginStep(true);
    void navigate?.(-entries);
  }

  function beginStep(isOfLayers: boolean): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    step = { isOfLayers, done: promise, resolve, timer: setTimeout(endStep, STEP_MAX) };
  }

  function endStep(): void {
    clearTimeout(step?.timer);
    const ended = step;
    step = undefined;
    ended?.resolve();
  }

  // Later, as one layer may replace another one, and as the click on a link first closes its menu.
  function adjustLater(): void {
    timer ??= setTimeout(adjust);
  }

  function remove(close: () => void): void {
    overlays.delete(close);
    const index = layers.indexOf(close);
    if (index >= 0) layers.splice(index, 1);
  }

  return {
    open: (close, isInline) => {
      if (!isInline) overlays.add(close);
      if (isTouchDevice()) {
        layers.push(close);
        openedAt = router && screenPath(router.state.location.pathname);
        adjustLater();
      }
      return () => {
        remove(close);
        adjustLater();
      };
    },
    showScreen: (key) => {
      shownKey = key;
      adjustLater();
    },
    closeOverlays: async () => {
      for (const close of [...overlays].toReversed()) {
        remove(close);
        close();
      }
      await step?.done;
      // The navigation that is under way leaves the screen.
      if (!router || router.state.navigation.state !== 'idle') return;
      const { state } = router.state.location;
      const images = openImageOf(state) === undefined ? 0 : 1;
      const entries = images + Math.max(0, depthOf(state) - layers.length);
      if (entries === 0) return;
      stepBack(entries);
      await step?.done;
    },
    attach: (created) => {
      router = created;
      const own = created.navigate.bind(created);
      navigate = own;
      const run = async (to: To | number | null, options?: NavigateOptions): Promise<void> => {
        // A second click or key, before the screen is left, does not leave the previous screen too.
        if (typeof to === 'number' && step?.isOfLayers === false) return step.done;
        // A browser steps later, which would undo a navigation that begins meanwhile.
        if (step) return step.done.then(() => run(to, options));
        if (!router) return undefined;
        if (typeof to !== 'number') return own(to, options);
        beginStep(false);
        return own(to);
      };
      created.navigate = run;
      let { key } = created.state.location;
      created.subscribe(({ location, historyAction, navigation }) => {
        // The browser has stepped to a screen that is being loaded.
        if (step?.isOfLayers === false && navigation.state !== 'idle') endStep();
        if (location.key !== key) {
          ({ key } = location);
          // A layer may have been opened since the step was begun, such as the search of a list that is shown again.
          const isOfLayers = step?.isOfLayers === true;
          endStep();
          const isUserStep = historyAction === NavigationType.Pop && !isOfLayers;
          const closed = isUserStep ? layers.slice(depthOf(location.state)) : [];
          for (const close of closed.toReversed()) close();
        }
        adjustLater();
      });
      // A reloaded page has no open layers.
      adjustLater();
      return () => {
        router = undefined;
        clearTimeout(timer);
        clearTimeout(step?.timer);
      };
    },
  };
}

function isTouchDevice(): boolean {
  return matchMedia('(hover: none) and (pointer: coarse)').matches;
}
