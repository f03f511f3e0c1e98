import { ApiError } from '@parley/client';
import { expect, test } from 'vitest';
import { verifyFailure } from './verify-failure.ts';

test.each([
  [400, 'already'],
  [409, 'mismatch'],
  [503, 'failed'],
])('%i is %s', (status, failure) => {
  expect(verifyFailure(new ApiError('internal', status, ''))).toBe(failure);
});
