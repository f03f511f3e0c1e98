import {
  createMemoryRouter,
  type NavigateOptions,
  type RouteObject,
  type To,
} from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBackLayers, type RouterBackLayers } from './back-layers.ts';

let router: ReturnType<typeof createMemoryRouter>;
let layers: RouterBackLayers;
let detach: () => void;
/** Whether screens are shown as soon as the router has their locations. */
let isFast: boolean;
/** Called when the next navigation is done, before the layers handle it. */
let beforeStep: (() => void) | undefined;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  router = createMemoryRouter([{ path: '*' }], { initialEntries: ['/before', '/list'] });
  isFast = true;
  beforeStep = undefined;
  router.subscribe(() => {
    const call = beforeStep;
    beforeStep = undefined;
    call?.();
  });
  attachLayers();
});
afterEach(() => {
  router.dispose();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function attachLayers(): void {
  layers = createBackLayers();
  const showScreen = (): void => layers.showScreen(router.state.location.key);
  router.subscribe(() => {
    if (isFast) showScreen();
  });
  detach = layers.attach(router);
  showScreen();
}

const sleep = (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms));
const settle = () => vi.advanceTimersByTimeAsync(10);

async function goBack(): Promise<void> {
  await router.navigate(-1);
  await settle();
}

/** The path and the number of layers of the current history entry. */
function current(): [path: string, layers: unknown] {
  const { pathname, state } = router.state.location;
  return [pathname, (state as { layers?: number } | null)?.layers ?? 0];
}

/** Opens a layer that removes itself when it is closed. Returns the function that removes it. */
function open(onClose: () => void = () => undefined, isInline = false): () => void {
  const remove = layers.open(() => {
    remove();
    onClose();
  }, isInline);
  return remove;
}

/** Attaches the layers to a router whose steps in the history are done later, as in browsers. */
function stepLater(routes: RouteObject[] = [{ path: '*' }]): void {
  router.dispose();
  detach();
  router = createMemoryRouter(routes, { initialEntries: ['/before', '/list'] });
  const navigate = router.navigate.bind(router);
  router.navigate = async (to: To | number | null, options?: NavigateOptions) => {
    if (typeof to !== 'number') return navigate(to, options);
    await sleep(5);
    return navigate(to);
  };
  attachLayers();
}

test('going back closes the topmost layer, and leaves the screen once none is open', async () => {
  const closed: string[] = [];
  open(() => closed.push('search'));
  await settle();
  open(() => closed.push('calendar'));
  await settle();
  expect(current()).toEqual(['/list', 2]);
  await goBack();
  expect(closed).toEqual(['calendar']);
  expect(current()).toEqual(['/list', 1]);
  await goBack();
  expect(closed).toEqual(['calendar', 'search']);
  expect(current()).toEqual(['/list', 0]);
  await goBack();
  expect(current()).toEqual(['/before', 0]);
});

test('a layer that is closed otherwise leaves no entry behind', async () => {
  const remove = open();
  await settle();
  remove();
  await settle();
  expect(current()).toEqual(['/list', 0]);
  await goBack();
  expect(current()).toEqual(['/before', 0]);
});

test('the layer of a screen that is shown again stays open', async () => {
  const onClose = vi.fn<() => void>();
  const remove = open(onClose);
  await settle();
  await router.navigate('/room');
  remove();
  await settle();
  await router.navigate(-1);
  open(onClose);
  await settle();
  expect(current()).toEqual(['/list', 1]);
  expect(onClose).not.toHaveBeenCalled();
});

test('the layer of a screen that is shown again late keeps its entry', async () => {
  const onClose = vi.fn<() => void>();
  const remove = open(onClose);
  await settle();
  const { key } = router.state.location;
  await router.navigate('/room');
  remove();
  await settle();
  isFast = false;
  await goBack();
  open(onClose);
  layers.showScreen(key);
  await settle();
  expect(router.state.location.key).toBe(key);
  await goBack();
  expect(onClose).toHaveBeenCalledOnce();
  expect(current()).toEqual(['/list', 0]);
});

test('a layer that is opened while its old entry is being left stays open', async () => {
  const onClose = vi.fn<() => void>();
  const remove = open(onClose);
  await settle();
  await router.navigate('/room');
  remove();
  await settle();
  await router.navigate(-1);
  expect(current()).toEqual(['/list', 1]);
  beforeStep = () => open(onClose);
  await settle();
  expect(current()).toEqual(['/list', 1]);
  expect(onClose).not.toHaveBeenCalled();
  await goBack();
  expect(onClose).toHaveBeenCalledOnce();
  await goBack();
  expect(current()).toEqual(['/before', 0]);
});

test('a navigation that begins while an entry is being left is kept', async () => {
  stepLater();
  const remove = open();
  await settle();
  remove();
  // The step back has begun.
  await vi.advanceTimersByTimeAsync(1);
  void router.navigate('/login', { replace: true });
  await settle();
  expect(current()).toEqual(['/login', 0]);
  void router.navigate(-1);
  await settle();
  expect(current()).toEqual(['/before', 0]);
});

test('going back twice before the browser has stepped leaves only one screen', async () => {
  stepLater();
  await router.navigate('/room');
  void router.navigate(-1);
  void router.navigate(-1);
  await settle();
  expect(current()).toEqual(['/list', 0]);
  void router.navigate(-1);
  await settle();
  expect(current()).toEqual(['/before', 0]);
});

test('a navigation that begins while a screen goes back is kept', async () => {
  stepLater();
  await router.navigate('/list', { state: { image: 'a.png' } });
  void router.navigate(-1);
  void router.navigate('/list?kind=audio', { replace: true });
  await settle();
  expect(router.state.location).toMatchObject({ search: '?kind=audio', state: null });
  void router.navigate(-1);
  await settle();
  expect(current()).toEqual(['/before', 0]);
});

test('a navigation does not wait for the code of the screen that another one goes back to', async () => {
  const code = Promise.withResolvers<object>();
  stepLater([{ path: '/list', lazy: () => code.promise }, { path: '*' }]);
  await router.navigate('/room');
  void router.navigate(-1);
  await settle();
  void router.navigate('/other');
  await settle();
  expect(current()).toEqual(['/other', 0]);
});

test('a removed router steps back no more', async () => {
  stepLater();
  const remove = open();
  await settle();
  detach();
  remove();
  void router.navigate(-1);
  await settle();
  expect(current()).toEqual(['/list', 1]);
});

test('closing what is above the screens leaves no entries behind, and keeps what is a part of them', async () => {
  stepLater();
  const closed: string[] = [];
  open(() => closed.push('search'), true);
  await settle();
  open(() => closed.push('menu'));
  open(() => closed.push('dialog'));
  await settle();
  expect(current()).toEqual(['/list', 3]);
  void layers
    .closeOverlays()
    .then(() => router.navigate('/list', { replace: true, state: { layers: 1 } }));
  await settle();
  expect(closed).toEqual(['dialog', 'menu']);
  expect(current()).toEqual(['/list', 1]);
  void router.navigate(-1);
  await settle();
  expect(closed).toEqual(['dialog', 'menu', 'search']);
  void router.navigate(-1);
  await settle();
  expect(current()).toEqual(['/before', 0]);
});

test('closing what is above the screens goes back from an open image', async () => {
  stepLater();
  open(() => undefined, true);
  await settle();
  await router.navigate('/list', { state: { layers: 1, image: 'a.png' } });
  void layers.closeOverlays();
  await settle();
  expect(router.state.location.state).toEqual({ layers: 1 });
});

test('closing what is above the screens also closes it with a mouse, where it has no entries', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  const onClose = vi.fn<() => void>();
  const onCloseInline = vi.fn<() => void>();
  open(onClose);
  open(onCloseInline, true);
  await settle();
  expect(current()).toEqual(['/list', 0]);
  await layers.closeOverlays();
  expect(onClose).toHaveBeenCalledOnce();
  expect(onCloseInline).not.toHaveBeenCalled();
  expect(current()).toEqual(['/list', 0]);
});
