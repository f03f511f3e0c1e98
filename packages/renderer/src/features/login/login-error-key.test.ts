import { ApiError } from '@parley/client';
import { expect, test } from 'vitest';
import { loginErrorKey, UnverifiedError } from './login-error-key.ts';

test.each([
  [new UnverifiedError(), 'unverified'],
  [new ApiError('wrong_credentials', 404, ''), 'wrong'],
  [new ApiError('internal', 500, ''), 'failed'],
  [new ApiError('offline', 0, ''), 'failed'],
  [new TypeError(), 'failed'],
])('maps %s to the text %s', (error, key) => {
  expect(loginErrorKey(error)).toBe(key);
});
