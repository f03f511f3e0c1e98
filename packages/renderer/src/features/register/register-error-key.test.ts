import { ApiError } from '@parley/client';
import { expect, test } from 'vitest';
import { registerErrorKey } from './register-error-key.ts';

test.each([
  [409, 'taken'],
  [500, 'failed'],
  [0, 'failed'],
])('%i is %s', (status, failure) => {
  expect(registerErrorKey(new ApiError('internal', status, ''))).toBe(failure);
});
