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
