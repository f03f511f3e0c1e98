import { readBuiltFile } from '../single-binary/built-files.ts';
import { readWebPack, type WebFiles } from './web-pack.ts';

/**
 * Loads the web client from the single binary or from `folder`. Returns no files if the build has none.
 */
export function loadWebFiles(folder: string): WebFiles {
  const pack = readBuiltFile('web.pack', folder);
  return pack === undefined ? new Map() : readWebPack(pack);
}
