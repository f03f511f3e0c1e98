/** The outcome of a check. `skipped`: there was nothing to check, or it was not possible. */
export type Outcome = 'ok' | 'warning' | 'failed' | 'skipped';

/** The result of a check. */
export interface Finding {
  /** What was checked, in a word or two. */
  readonly check: string;
  readonly outcome: Outcome;
  readonly message: string;
  /** What the operator can do about it; empty if nothing. */
  readonly advice: string;
}

/** Creates the findings of one check. */
export function createFindings(check: string) {
  const without = (outcome: Outcome) => (message: string) => ({
    check,
    outcome,
    message,
    advice: '',
  });
  const withAdvice =
    (outcome: Outcome) =>
    (message: string, advice: string): Finding => ({ check, outcome, message, advice });
  return {
    ok: without('ok'),
    skipped: without('skipped'),
    warning: withAdvice('warning'),
    failed: withAdvice('failed'),
  };
}
