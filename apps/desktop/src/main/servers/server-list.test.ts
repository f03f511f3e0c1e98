import { expect, test } from 'vitest';
import { defaultSettings } from '../settings/settings.ts';
import {
  activeServer,
  partitionOf,
  withBounds,
  withMediaOrigins,
  withoutServer,
  withServer,
} from './server-list.ts';

const a = { origin: 'https://a.example', mediaOrigins: [] };
const b = { origin: 'https://b.example', mediaOrigins: [], pinned: 'sha256/B' };
const both = withServer(withServer(defaultSettings(), a), b);

test('each origin has its own partition, which stays the same', () => {
  const names = ['https://a.example', 'http://a.example', 'https://a.example:8443'].map(
    partitionOf,
  );
  expect(new Set(names).size).toBe(3);
  expect(names[0]).toBe(partitionOf('https://a.example'));
  expect(names.every((name) => name.startsWith('persist:'))).toBe(true);
});

test('adding a server makes it active; adding it again updates it and keeps its bounds', () => {
  expect(activeServer(both)).toEqual(b);
  const bounds = { x: 1, y: 2, width: 800, height: 600, maximized: false };
  const again = withServer(withBounds(both, b.origin, bounds), { ...b, pinned: 'sha256/C' });
  expect(again.servers).toEqual([a, { ...b, pinned: 'sha256/C', bounds }]);
});

test('removing the active server makes another one active', () => {
  expect(activeServer(withoutServer(both, b.origin))).toEqual(a);
  const none = withoutServer(withoutServer(both, b.origin), a.origin);
  expect(none).toEqual(defaultSettings());
  expect(activeServer(none)).toBeUndefined();
});

test('saving unchanged media origins returns the same settings', () => {
  expect(withMediaOrigins(both, a.origin, [])).toBe(both);
  expect(withMediaOrigins(both, 'https://c.example', ['https://x.example'])).toBe(both);
  expect(activeServer(withMediaOrigins(both, b.origin, ['https://x.example']))).toEqual({
    ...b,
    mediaOrigins: ['https://x.example'],
  });
});
