/** A change of one file, or a new one. */
export interface Edit {
  /** Path from the root of the repository. */
  readonly file: string;
  /** A text that occurs once in the file. Undefined for a new file. */
  readonly text?: string;
  /** What replaces the text, or the content of a new file. */
  readonly by: string;
}

/** An addition that a developer makes as CONTRIBUTING describes it, with a pretend feature. */
export interface Recipe {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** New test files. They do not count as changed files. */
  readonly tests: readonly Edit[];
}
