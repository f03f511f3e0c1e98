import { accessSync, constants } from 'node:fs';

/** Returns whether a path is an executable file. */
export function isExecutable(path: string | undefined): path is string {
  if (path === undefined || path === '') return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
