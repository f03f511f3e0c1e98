import { app } from 'electron';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

const OUT = join(import.meta.dirname, '..');

/** Paths of the app's own files and of its data. */
export const paths = {
  /** An unchanged copy of the web build. */
  renderer: join(OUT, 'renderer'),
  picker: join(OUT, 'picker'),
  serverPreload: join(OUT, 'preload', 'server.cjs'),
  pickerPreload: join(OUT, 'preload', 'picker.cjs'),
  log: () => join(app.getPath('logs'), 'main.log'),
  settings: () => join(app.getPath('userData'), 'settings.json'),
  /** The folder of the servers' responses that earlier versions stored. */
  oldResponses: () => join(app.getPath('userData'), 'last-answers'),
  storageKey: (origin: string) => join(app.getPath('userData'), 'storage-keys', nameOf(origin)),
};

function nameOf(origin: string): string {
  return createHash('sha256').update(origin).digest('hex').slice(0, 24);
}
