import type { Edit } from '../with-changed-files.ts';

/** An addition that a developer makes as CONTRIBUTING describes it, with a pretend feature. */
export interface Recipe {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** New test files. They do not count as changed files. */
  readonly tests: readonly Edit[];
  /** Tests that must still pass, as they cover every feature of this sort. */
  readonly existingTests: readonly string[];
}
