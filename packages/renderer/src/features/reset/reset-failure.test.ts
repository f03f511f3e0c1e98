import { ApiError } from '@parley/client';
import { expect, test } from 'vitest';
import { resetFailure } from './reset-failure.ts';

test.each([
  [404, 'noUser'],
  [401, 'keyWrong'],
  [429, 'failed'],
])('%i is %s', (status, failure) => {
  expect(resetFailure(new ApiError('internal', status, ''))).toBe(failure);
});
