import { app } from 'electron';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

const OUT = join(import.meta.dirname, '..');

/** Where the app's files lie: what was built with it, and what it keeps. */
export const paths = {
  /** The web client, byte for byte. */
  renderer: join(OUT, 'renderer'),
  shell: join(OUT, 'shell'),
  serverPreload: join(OUT, 'preload', 'server.cjs'),
  shellPreload: join(OUT, 'preload', 'shell.cjs'),
  log: () => join(app.getPath('logs'), 'main.log'),
  settings: () => join(app.getPath('userData'), 'settings.json'),
  lastAnswers: (origin: string) => {
    const name = createHash('sha256').update(origin).digest('hex').slice(0, 24);
    return join(app.getPath('userData'), 'last-answers', name);
  },
};
