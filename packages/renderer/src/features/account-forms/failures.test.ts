import { describe, expect, test } from 'vitest';
import { ApiError } from '../../api/client.ts';
import { registerFailure } from '../register/register-failure.ts';
import { resetFailure } from '../reset/reset-failure.ts';
import { verifyFailure } from '../verify/verify-failure.ts';

const refused = (status: number): ApiError => new ApiError('internal', status, '');

describe('the catalogue of errors by status', () => {
  test.each([
    [registerFailure, 409, 'taken'],
    [registerFailure, 500, 'failed'],
    [registerFailure, 0, 'failed'],
    [verifyFailure, 400, 'already'],
    [verifyFailure, 409, 'mismatch'],
    [verifyFailure, 503, 'failed'],
    [resetFailure, 404, 'noUser'],
    [resetFailure, 401, 'keyWrong'],
    [resetFailure, 429, 'failed'],
  ])('%o answers %i with %s', (failureOf, status, failure) => {
    expect(failureOf(refused(status))).toBe(failure);
  });
});
