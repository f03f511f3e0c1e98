import type { TestAnswer } from './harness.ts';

/** The statuses of answers whose order is up to chance, the lowest first. */
export function statuses(answers: readonly Pick<TestAnswer, 'status'>[]): number[] {
  return answers.map(({ status }) => status).toSorted((a, b) => a - b);
}
