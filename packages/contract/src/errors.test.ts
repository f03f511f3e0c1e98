import { expect, test } from 'vitest';
import { ERROR_STATUS, isErrorCode } from './errors.ts';

test('isErrorCode accepts only known codes', () => {
  for (const code of Object.keys(ERROR_STATUS)) expect(isErrorCode(code)).toBe(true);
  for (const value of ['', 'toString', '__proto__', 404, null, undefined, {}]) {
    expect(isErrorCode(value)).toBe(false);
  }
});
