import { readBuiltFile } from '../single-binary/assets.ts';
import { readWebPack, type WebFiles } from './web-pack.ts';

/** The web client from inside the single binary, or from `folder`; empty where a build put none. */
export function loadWebFiles(folder: string): WebFiles {
  const pack = readBuiltFile('web.pack', folder);
  return pack === undefined ? new Map() : readWebPack(pack);
}
