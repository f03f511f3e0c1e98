import { expect, test } from 'vitest';
import { createBoundedCache } from './bounded-cache.ts';

test('removes what was not used for the longest time', () => {
  const cache = createBoundedCache<string, number>(2);
  cache.set('a', 1).set('b', 2);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 3);
  expect([...cache.keys()].toSorted()).toEqual(['a', 'c']);
});
