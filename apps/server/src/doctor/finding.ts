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
  return {
    ok: (message: string): Finding => ({ check, outcome: 'ok', message, advice: '' }),
    skipped: (message: string): Finding => ({ check, outcome: 'skipped', message, advice: '' }),
    warning: (message: string, advice: string): Finding => ({
      check,
      outcome: 'warning',
      message,
      advice,
    }),
    failed: (message: string, advice: string): Finding => ({
      check,
      outcome: 'failed',
      message,
      advice,
    }),
  };
}
