import { delimiter, join } from 'node:path';
import { isExecutable } from './is-executable.ts';

/** Finds the path of a program: the one in `variable`, or the first of `names` on the PATH. */
export function findExecutable(
  env: NodeJS.ProcessEnv,
  variable: string,
  names: readonly string[],
): string | undefined {
  const onPath = (env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return [env[variable], ...onPath].find(isExecutable);
}
