import { resolveObjectURL } from 'node:buffer';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  createMediaMemory,
  isLoadedIntoMemory,
  type ImageSource,
  type MediaMemory,
} from './media-memory.ts';

const ORIGIN = 'https://chat.example';
const CAPACITY = 100;

/** The requests that were not answered yet, by URL. */
const pending = new Map<string, PromiseWithResolvers<Response>>();
const requests: { url: string; signal: AbortSignal }[] = [];

let memory: MediaMemory;
beforeEach(() => {
  vi.stubGlobal('location', { origin: ORIGIN });
  vi.stubGlobal('fetch', async (url: string, { signal }: { signal: AbortSignal }) => {
    requests.push({ url, signal });
    signal.throwIfAborted();
    const response = Promise.withResolvers<Response>();
    pending.set(url, response);
    signal.addEventListener('abort', () => response.reject(signal.reason));
    return response.promise;
  });
  memory = createMediaMemory(CAPACITY);
});
afterEach(() => {
  memory.close();
  pending.clear();
  requests.length = 0;
  vi.unstubAllGlobals();
});

/** Holds a file and responds to its request. Returns what releases it, and its object URL. */
async function show(
  url: string,
  size = 40,
  image?: ImageSource,
): Promise<{ release: () => void; src: string }> {
  const changed = Promise.withResolvers<void>();
  const release = memory.hold(url, changed.resolve, image);
  pending.get(url)?.resolve(new Response(new Uint8Array(size)));
  await changed.promise;
  const src = memory.find(url)?.src ?? '';
  expect(resolveObjectURL(src)?.size).toBe(size);
  return { release, src };
}

/** Lets the releases of the current task take effect. */
const settle = (): Promise<void> => Promise.resolve();

const requestedUrls = (): string[] => requests.map(({ url }) => url);

test('requests a file once for all that show it, and again only after it was discarded', async () => {
  const first = await show('/a');
  const release = memory.hold('/a', () => undefined);
  expect(memory.find('/a')?.src).toBe(first.src);
  first.release();
  release();
  await settle();
  memory.hold('/a', () => undefined);
  expect(memory.find('/a')).toEqual({ state: 'ready', src: first.src });
  expect(requestedUrls()).toEqual(['/a']);
});

test('keeps a file that this device has sent, without a request', async () => {
  const image = { getStill: () => Promise.resolve(undefined), file: new Blob(['sent']) };
  const changed = Promise.withResolvers<void>();
  memory.hold('https://media.example/a', changed.resolve, image);
  await changed.promise;
  const { src = '' } = memory.find('https://media.example/a') ?? {};
  expect(await resolveObjectURL(src)?.text()).toBe('sent');
  expect(requestedUrls()).toEqual([]);
});

test('discards what was not used for longest, and revokes its object URL', async () => {
  const a = await show('/a');
  const b = await show('/b');
  a.release();
  b.release();
  await settle();
  // Using it again makes it the newest.
  memory.hold('/a', () => undefined)();
  await settle();
  await show('/c');
  expect(memory.find('/b')).toBeUndefined();
  expect(resolveObjectURL(b.src)).toBeUndefined();
  expect(resolveObjectURL(a.src)).toBeDefined();
});

test('never discards what is in use, and discards it once it is not', async () => {
  const shown = [await show('/a'), await show('/b'), await show('/c'), await show('/d')];
  expect(shown.every(({ src }) => resolveObjectURL(src) !== undefined)).toBe(true);
  for (const { release } of shown) {
    release();
    await settle();
  }
  const kept = shown.filter(({ src }) => resolveObjectURL(src) !== undefined);
  expect(kept).toEqual(shown.slice(2));
});

test('cancels a request that is no longer wanted, but not when another element takes over', async () => {
  const releaseTile = memory.hold('/a', () => undefined);
  releaseTile();
  const releaseViewer = memory.hold('/a', () => undefined);
  await settle();
  expect(requests[0]?.signal.aborted).toBe(false);
  releaseViewer();
  await settle();
  expect(requests[0]?.signal.aborted).toBe(true);
  expect(memory.find('/a')).toBeUndefined();
  await show('/a');
  expect(requestedUrls()).toEqual(['/a', '/a']);
});

test('reports a failure, and loads the file again on request', async () => {
  const onChange = vi.fn<() => void>();
  memory.hold('/a', onChange);
  pending.get('/a')?.resolve(new Response('{}', { status: 404 }));
  await vi.waitFor(() => expect(memory.find('/a')?.state).toBe('failed'));
  expect(onChange).toHaveBeenCalledTimes(1);
  expect(memory.find('/a')?.error).toEqual(new Error('HTTP 404'));
  memory.retry('/a');
  expect(memory.find('/a')).toEqual({ state: 'loading' });
  pending.get('/a')?.resolve(new Response('bytes'));
  await vi.waitFor(() => expect(memory.find('/a')?.state).toBe('ready'));
  memory.retry('/a');
  expect(requestedUrls()).toEqual(['/a', '/a']);
});

test('waits as long as the server wants before it requests a file again', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  memory.hold('/a', () => undefined);
  const headers = { 'retry-after': '2' };
  pending.get('/a')?.resolve(new Response('{}', { status: 429, headers }));
  await vi.advanceTimersByTimeAsync(1_999);
  expect(memory.find('/a')).toEqual({ state: 'loading' });
  expect(requestedUrls()).toEqual(['/a']);
  await vi.advanceTimersByTimeAsync(1);
  expect(requestedUrls()).toEqual(['/a', '/a']);
  pending.get('/a')?.resolve(new Response('bytes'));
  await vi.waitFor(() => expect(memory.find('/a')?.state).toBe('ready'));
});

test('requests a file no more that is not wanted once the server allows it again', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const release = memory.hold('/a', () => undefined);
  const headers = { 'retry-after': '2' };
  pending.get('/a')?.resolve(new Response('{}', { status: 429, headers }));
  await vi.advanceTimersByTimeAsync(1_000);
  release();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(memory.find('/a')).toBeUndefined();
  expect(requests.filter(({ signal }) => !signal.aborted)).toEqual([]);
});

test('forgets everything when it is closed, and loads nothing anymore', async () => {
  const { src } = await show('/a');
  memory.hold('/b', () => undefined);
  memory.close();
  expect(resolveObjectURL(src)).toBeUndefined();
  expect(memory.find('/a')).toBeUndefined();
  expect(requests[1]?.signal.aborted).toBe(true);
  memory.hold('/c', () => undefined);
  expect(requestedUrls()).toEqual(['/a', '/b']);
});

test('keeps the first frame of an animation that is only played on demand, as long as the animation', async () => {
  const still = new Blob([new Uint8Array(50)]);
  const image = { getStill: async ({ size }: Blob) => (size === 40 ? still : undefined) };
  const animation = await show('/a', 40, image);
  const { stillSrc = '' } = memory.find('/a') ?? {};
  expect(resolveObjectURL(stillSrc)?.size).toBe(50);
  animation.release();
  await settle();
  // Both count: there is no room for another file of 20 bytes.
  await show('/b', 20, image);
  expect(memory.find('/b')).not.toHaveProperty('stillSrc');
  expect([animation.src, stillSrc].map((src) => resolveObjectURL(src))).toEqual([
    undefined,
    undefined,
  ]);
});

test('only uploads of the own origin are loaded into memory', () => {
  expect(isLoadedIntoMemory(`${ORIGIN}/media/a.png`)).toBe(true);
  expect(isLoadedIntoMemory('https://media.example/a.png')).toBe(false);
  expect(isLoadedIntoMemory(`blob:${ORIGIN}/0c3e`)).toBe(false);
});

const OTHER = 'https://media.example/parley';
const still = new Blob([new Uint8Array(10)]);

/** Holds an image of another host, which may be a long animation. Responds to the requests of it in order. */
async function showForeign(
  name: string,
  ...responses: readonly (Response | TypeError)[]
): Promise<ReturnType<MediaMemory['find']>> {
  const image = { getStill: async () => still, ownUrl: `/media/${name}` };
  memory.hold(`${OTHER}/${name}`, () => undefined, image);
  for (const response of responses) {
    const sent = requests.length;
    const { url = '' } = requests.at(-1) ?? {};
    if (response instanceof Response) pending.get(url)?.resolve(response);
    else pending.get(url)?.reject(response);
    if (response !== responses.at(-1))
      await vi.waitFor(() => expect(requests).toHaveLength(sent + 1));
  }
  await vi.waitFor(() => expect(memory.find(`${OTHER}/${name}`)?.state).not.toBe('loading'));
  return memory.find(`${OTHER}/${name}`);
}

const file = () => new Response(new Uint8Array(40));
const refusal = () => new TypeError('Failed to fetch');

test('reads an image of another host that allows it', async () => {
  expect(await showForeign('a.gif', file())).toHaveProperty('stillSrc');
  expect(requestedUrls()).toEqual([`${OTHER}/a.gif`]);
});

test('reads an image of another host that does not allow it from its own server, and asks the host only once', async () => {
  expect(await showForeign('a.gif', refusal(), file())).toHaveProperty('stillSrc');
  expect(await showForeign('b.gif', file())).toHaveProperty('stillSrc');
  expect(requestedUrls()).toEqual([`${OTHER}/a.gif`, '/media/a.gif', '/media/b.gif']);
});

test('asks another host again that has responded, or that could not be reached', async () => {
  expect(await showForeign('a.gif', new Response('', { status: 403 }), file())).toHaveProperty(
    'stillSrc',
  );
  expect(await showForeign('b.gif', refusal(), refusal())).toMatchObject({ state: 'failed' });
  await showForeign('c.gif', file());
  expect(requestedUrls().at(-1)).toBe(`${OTHER}/c.gif`);
});

test('leaves an image of another host to its element if its own server does not have it', async () => {
  const shown = await showForeign('a.gif', refusal(), new Response('', { status: 404 }));
  expect(shown).toEqual({ state: 'ready', src: `${OTHER}/a.gif` });
});
