import { ApiError } from '@parley/client';
import { expect, test } from 'vitest';
import { loginFailure, UnverifiedError } from './login-failure.ts';

test.each([
  [new UnverifiedError(), 'unverified'],
  [new ApiError('wrong_credentials', 404, ''), 'wrong'],
  [new ApiError('internal', 500, ''), 'failed'],
  [new ApiError('offline', 0, ''), 'failed'],
  [new TypeError(), 'failed'],
])('%s is told as %s', (error, failure) => {
  expect(loginFailure(error)).toBe(failure);
});
