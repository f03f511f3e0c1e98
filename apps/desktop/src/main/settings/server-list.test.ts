import { expect, test } from 'vitest';
import { createDefaultSettings } from './settings.ts';
import {
  findActiveServer,
  getPartition,
  withBounds,
  withMediaOrigins,
  withoutServer,
  withServer,
} from './server-list.ts';

const a = { origin: 'https://a.example', mediaOrigins: [] };
const b = { origin: 'https://b.example', mediaOrigins: [], pinned: 'sha256/B' };
const both = withServer(withServer(createDefaultSettings(), a), b);

test('each origin has its own partition, which stays the same', () => {
  const names = ['https://a.example', 'http://a.example', 'https://a.example:8443'].map(
    getPartition,
  );
  expect(new Set(names).size).toBe(3);
  expect(names[0]).toBe(getPartition('https://a.example'));
  expect(names.every((name) => name.startsWith('persist:'))).toBe(true);
});

test('adding a server makes it active; adding it again updates it and keeps its bounds', () => {
  expect(findActiveServer(both)).toEqual(b);
  const bounds = { x: 1, y: 2, width: 800, height: 600, maximized: false };
  const again = withServer(withBounds(both, b.origin, bounds), { ...b, pinned: 'sha256/C' });
  expect(again.servers).toEqual([a, { ...b, pinned: 'sha256/C', bounds }]);
});

test('removing the active server makes another one active', () => {
  expect(findActiveServer(withoutServer(both, b.origin))).toEqual(a);
  const none = withoutServer(withoutServer(both, b.origin), a.origin);
  expect(none).toEqual(createDefaultSettings());
  expect(findActiveServer(none)).toBeUndefined();
});

test('saving unchanged media origins returns the same settings', () => {
  expect(withMediaOrigins(both, a.origin, [])).toBe(both);
  expect(withMediaOrigins(both, 'https://c.example', ['https://x.example'])).toBe(both);
  expect(findActiveServer(withMediaOrigins(both, b.origin, ['https://x.example']))).toEqual({
    ...b,
    mediaOrigins: ['https://x.example'],
  });
});
