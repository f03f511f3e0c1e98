import { expect, test } from 'vitest';
import { createRecentMap } from './recent-map.ts';

test('keeps what is used and lets go of what is not, within its bound', () => {
  const map = createRecentMap<number, string>(100);
  map.set(0, 'in use');
  for (let i = 1; i <= 1_000; i++) {
    map.set(i, String(i));
    expect(map.get(0)).toBe('in use');
  }
  const kept = Array.from({ length: 1_001 }, (_, i) => i).filter((i) => map.get(i) !== undefined);
  expect(kept.length).toBeLessThanOrEqual(100);
  expect(kept).toContain(1_000);
  expect(kept).not.toContain(1);
});

test('gives the newest value, and none after a deletion, also of an older entry', () => {
  const map = createRecentMap<string, number>(4);
  map.set('a', 1);
  map.set('b', 1);
  map.set('a', 2);
  expect(map.get('a')).toBe(2);
  map.delete('a');
  map.delete('b');
  expect(map.get('a')).toBeUndefined();
  expect(map.get('b')).toBeUndefined();
});
