import { expect, test } from 'vitest';
import { API_VERSION, checkApiVersion, MIN_API_VERSION } from './api-version.ts';

test('keeps the version that released desktop apps support', () => {
  expect([API_VERSION, MIN_API_VERSION]).toEqual([2, 2]);
});

test.each([
  [3, { apiVersion: 3, minApiVersion: 2 }, 'compatible'],
  [2, { apiVersion: 3, minApiVersion: 2 }, 'compatible'],
  [1, { apiVersion: 3, minApiVersion: 2 }, 'client-too-old'],
  [4, { apiVersion: 3, minApiVersion: 2 }, 'server-too-old'],
  [1, { apiVersion: 1 }, 'compatible'],
  [1, { apiVersion: 2 }, 'client-too-old'],
  [2, { apiVersion: 1 }, 'server-too-old'],
])('checks a client of version %i with the server %o: %s', (own, server, result) => {
  expect(checkApiVersion(server, own)).toBe(result);
});
