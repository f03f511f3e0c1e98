import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWebPack, type WebFiles } from './web-pack.ts';

/** The web client that a build put into a folder; empty where it put none. */
export function loadWebFiles(folder: string): WebFiles {
  const pack = join(folder, 'web.pack');
  return existsSync(pack) ? readWebPack(readFileSync(pack)) : new Map();
}
