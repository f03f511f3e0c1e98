import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isExecutable } from '@parley/testing';

/** The folder of the `electron` package. `npm install` does not download the program into it. */
const PACKAGE_DIR = join(import.meta.dirname, '../../../../../node_modules/electron');

/** The reason shown for the tests that are skipped without Electron. */
export const NO_ELECTRON =
  'Electron is not installed, so the tests of its windows are skipped. Install it with: npx install-electron --no';

/**
 * Returns the path of the Electron program: `PARLEY_ELECTRON`, or the one that the `electron` package has
 * downloaded. Does not trigger a download.
 */
export function findElectron(env: NodeJS.ProcessEnv): string | undefined {
  return [env['PARLEY_ELECTRON'], findDownloaded()].find(isExecutable);
}

function findDownloaded(): string | undefined {
  try {
    return join(PACKAGE_DIR, 'dist', readFileSync(join(PACKAGE_DIR, 'path.txt'), 'utf8').trim());
  } catch {
    return undefined;
  }
}
