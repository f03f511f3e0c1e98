import { ApiError } from '@parley/client';
import { expect, test } from 'vitest';
import { verifyErrorKey } from './verify-error-key.ts';

test.each([
  [400, 'already'],
  [409, 'mismatch'],
  [503, 'failed'],
])('%i is %s', (status, failure) => {
  expect(verifyErrorKey(new ApiError('internal', status, ''))).toBe(failure);
});
