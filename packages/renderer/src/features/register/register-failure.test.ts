import { ApiError } from '@parley/client';
import { expect, test } from 'vitest';
import { registerFailure } from './register-failure.ts';

test.each([
  [409, 'taken'],
  [500, 'failed'],
  [0, 'failed'],
])('%i is %s', (status, failure) => {
  expect(registerFailure(new ApiError('internal', status, ''))).toBe(failure);
});
