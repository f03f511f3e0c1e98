import { delimiter, join } from 'node:path';
import { isExecutable } from './is-executable.ts';

/** Path of a program: the one in `variable`, or the first of `names` on the PATH; undefined if none is there. */
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
