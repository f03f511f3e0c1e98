import { ApiError } from '@parley/client';
import { expect, test } from 'vitest';
import { registerErrorKey } from './register-error-key.ts';

test.each([
  [409, 'taken'],
  [500, 'failed'],
  [0, 'failed'],
])('maps the status %i to the text %s', (status, key) => {
  expect(registerErrorKey(new ApiError('internal', status, ''))).toBe(key);
});

test.each([
  ['rate_limited', 429],
  ['foreign_origin', 403],
  ['registration_closed', 403],
  ['invitation_invalid', 403],
] as const)('does not blame the server for %s', (code, status) => {
  expect(registerErrorKey(new ApiError(code, status, ''))).toBe('refused');
});
