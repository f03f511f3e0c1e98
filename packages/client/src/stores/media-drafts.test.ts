import { beforeEach, expect, test } from 'vitest';
import { createMediaDraftsStore, draftsAt, mediaDraftKey } from './media-drafts.ts';

let store: ReturnType<typeof createMediaDraftsStore>;
let revoked: string[];

const KEY = mediaDraftKey('image', 'room');
const drafts = (key = KEY) => draftsAt(store.getState(), key);
const names = (key?: string) => drafts(key).map(({ fileName }) => fileName);

beforeEach(() => {
  revoked = [];
  let count = 0;
  store = createMediaDraftsStore({
    createPreviewUrl: () => `blob:${(count += 1)}`,
    revokePreviewUrl: (url) => revoked.push(url),
  });
});

test('pictures keep their order, and each its own progress', () => {
  const { add, setProgress, discard } = store.getState();
  const [first, second] = [new Blob(['1']), new Blob(['2'])];
  add(KEY, first, 'first.png');
  add(KEY, second, 'second.png');
  setProgress(KEY, first, 0.5);
  expect(drafts().map(({ progress }) => progress)).toEqual([0.5, undefined]);
  const { discarded } = drafts()[0] ?? {};
  discard(KEY, first);
  expect(discarded?.signal.aborted).toBe(true);
  expect(names()).toEqual(['second.png']);
  const rest = drafts();
  setProgress(KEY, first, 0.7);
  expect(drafts()).toBe(rest);
  expect(rest.map(({ progress }) => progress)).toEqual([undefined]);
});

test('all that are there go, those that come later do not yet, and a stop is for all', () => {
  const { add, setGoing, setProgress } = store.getState();
  const first = new Blob(['1']);
  add(KEY, first, 'first.png');
  setGoing(KEY, true);
  setProgress(KEY, first, 0.5);
  add(KEY, new Blob(['2']), 'second.png');
  const states = () => drafts().map(({ isGoing, progress }) => [isGoing, progress]);
  expect(states()).toEqual([
    [true, 0.5],
    [false, undefined],
  ]);
  setGoing(KEY, true);
  expect(states()).toEqual([
    [true, 0.5],
    [true, undefined],
  ]);
  setGoing(KEY, false);
  expect(states()).toEqual([
    [false, undefined],
    [false, undefined],
  ]);
});

test('each room has its own of each kind, and all of them go at the end', () => {
  const { add, setProgress, discard, discardAll } = store.getState();
  const keys = [KEY, mediaDraftKey('audio', 'room'), mediaDraftKey('image', 'other')];
  for (const key of keys) add(key, new Blob([key]), key);
  discard(KEY);
  expect(keys.map((key) => names(key))).toEqual([[], ...keys.slice(1).map((key) => [key])]);
  const rest = keys.slice(1).flatMap((key) => drafts(key).map(({ discarded }) => discarded.signal));
  discardAll();
  setProgress(KEY, new Blob([KEY]), 0.5);
  expect(store.getState().drafts).toEqual({});
  expect(rest.map(({ aborted }) => aborted)).toEqual([true, true]);
  expect(revoked).toEqual(['blob:1', 'blob:2', 'blob:3']);
});

test('where nothing waits, the same list comes each time', () => {
  expect(drafts('nowhere')).toBe(drafts('elsewhere'));
});
