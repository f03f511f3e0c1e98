import { ApiError } from '@parley/client';
import { expect, test } from 'vitest';
import { verifyErrorKey } from './verify-error-key.ts';

test.each([
  [400, 'already'],
  [409, 'mismatch'],
  [503, 'failed'],
])('maps the status %i to the text %s', (status, key) => {
  expect(verifyErrorKey(new ApiError('internal', status, ''))).toBe(key);
});

test.each([
  ['rate_limited', 429],
  ['foreign_origin', 403],
] as const)('does not blame the server for %s', (code, status) => {
  expect(verifyErrorKey(new ApiError(code, status, ''))).toBe('refused');
});
