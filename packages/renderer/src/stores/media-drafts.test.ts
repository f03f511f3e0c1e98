import { afterEach, expect, test } from 'vitest';
import { mediaDraftKey, useMediaDrafts } from './media-drafts.ts';

const KEY = mediaDraftKey('image', 'room');
const draft = (key = KEY) => useMediaDrafts.getState().drafts[key];

afterEach(() => useMediaDrafts.getState().reset());

test('a draft is replaced by the next, whose progress is its own', () => {
  const { put, setProgress } = useMediaDrafts.getState();
  const [first, second] = [new Blob(['1']), new Blob(['2'])];
  put(KEY, first, 'first.png');
  const { dropped } = draft() ?? {};
  put(KEY, second, 'second.png');
  expect(dropped?.signal.aborted).toBe(true);
  setProgress(KEY, first, 0.5);
  expect(draft()).toMatchObject({ fileName: 'second.png', progress: undefined });
  setProgress(KEY, second, 0.5);
  expect(draft()?.progress).toBe(0.5);
});

test('each room has one of each kind, and all of them go at the end', () => {
  const { put, drop, reset } = useMediaDrafts.getState();
  const keys = [KEY, mediaDraftKey('audio', 'room'), mediaDraftKey('image', 'other')];
  for (const key of keys) put(key, new Blob([key]), key);
  drop(KEY);
  expect(keys.map((key) => draft(key)?.fileName)).toEqual([undefined, ...keys.slice(1)]);
  const rest = keys.slice(1).map((key) => draft(key)?.dropped.signal);
  reset();
  expect(useMediaDrafts.getState().drafts).toEqual({});
  expect(rest.map((signal) => signal?.aborted)).toEqual([true, true]);
});
