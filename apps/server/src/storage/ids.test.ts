import { expect, test } from 'vitest';
import { newId } from './ids.ts';

test('ids that are created one after the other sort in this order', () => {
  const ids = Array.from({ length: 2_000 }, newId);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});
