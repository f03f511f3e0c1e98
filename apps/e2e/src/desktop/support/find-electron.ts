import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isExecutable } from '@parley/testing';

/** Where `npm install` puts the package; the program in it comes only when somebody asks for it. */
const PACKAGE = join(import.meta.dirname, '../../../../../node_modules/electron');

/** What to say where there is no Electron to run. */
export const NO_ELECTRON =
  'Electron is not installed here, so what needs its window was not tried. Get it with: npx install-electron --no';

/**
 * Path of the Electron program: `PARLEY_ELECTRON`, or the one that the `electron` package has downloaded.
 * Asks nothing that would download it.
 */
export function findElectron(env: NodeJS.ProcessEnv): string | undefined {
  return [env['PARLEY_ELECTRON'], downloaded()].find(isExecutable);
}

function downloaded(): string | undefined {
  try {
    return join(PACKAGE, 'dist', readFileSync(join(PACKAGE, 'path.txt'), 'utf8').trim());
  } catch {
    return undefined;
  }
}
