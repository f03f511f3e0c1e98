import { accessSync, constants } from 'node:fs';

/** Whether there is a program at a path. */
export function isExecutable(path: string | undefined): path is string {
  if (path === undefined || path === '') return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
