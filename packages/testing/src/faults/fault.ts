/** What a user would notice of a fault. */
export type FaultKind =
  | 'access'
  | 'erasure'
  | 'focus'
  | 'language'
  | 'layout'
  | 'loss'
  | 'order'
  | 'receipts'
  | 'unread';

/** A change of one line that breaks the product, and the tests that should see it. */
export interface Fault {
  /** A name for the report. */
  readonly name: string;
  readonly kind: FaultKind;
  /** Path of the changed file from the root of the repository. */
  readonly file: string;
  /** A text that occurs once in the file. */
  readonly text: string;
  /** What replaces it. */
  readonly broken: string;
  /** Paths of files or folders of Vitest, from the root: those that test the changed code. */
  readonly tests: readonly string[];
  /** Names of files of browser tests, such as `chatroom`, which run if no other test fails. */
  readonly browser?: readonly string[];
}
