import type { TestResponse } from './harness.ts';

/** Returns the statuses of responses in ascending order, for responses that arrive in any order. */
export function statuses(responses: readonly Pick<TestResponse, 'status'>[]): number[] {
  return responses.map(({ status }) => status).toSorted((a, b) => a - b);
}
