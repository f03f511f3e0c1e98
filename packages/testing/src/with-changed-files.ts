import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A change of one file, or a new one. */
export interface Edit {
  /** Path from the root of the repository. */
  readonly file: string;
  /** A text that occurs once in the file. Undefined for a new file. */
  readonly text?: string;
  /** What replaces the text, or the content of a new file. */
  readonly by: string;
}

/**
 * Makes changes in a working tree, calls a function, and takes the changes back, also if the process is told to end.
 */
export function withChangedFiles<T>(root: string, edits: readonly Edit[], work: () => T): T {
  const before = new Map<string, string | undefined>();
  const restore = (): void => {
    for (const [path, source] of before) {
      if (source === undefined) rmSync(path, { force: true });
      else writeFileSync(path, source);
    }
  };
  process.once('exit', restore);
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  try {
    for (const { file, text, by } of edits) {
      const path = join(root, file);
      const source = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
      if (!before.has(path)) before.set(path, source);
      writeFileSync(path, text === undefined ? by : (source ?? '').replace(text, () => by));
    }
    return work();
  } finally {
    restore();
    process.off('exit', restore);
    process.off('SIGTERM', stop);
    process.off('SIGINT', stop);
  }
}

const stop = (): void => process.exit(1);
