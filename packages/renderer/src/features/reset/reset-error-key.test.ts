import { ApiError } from '@parley/client';
import { expect, test } from 'vitest';
import { resetErrorKey } from './reset-error-key.ts';

test.each([
  [404, 'noUser'],
  [401, 'keyWrong'],
  [429, 'failed'],
])('maps the status %i to the text %s', (status, key) => {
  expect(resetErrorKey(new ApiError('internal', status, ''))).toBe(key);
});
