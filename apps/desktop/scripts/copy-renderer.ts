import { cp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

// The app shows the very files that the server gives to browsers: the web build, byte for byte.

const from = join(import.meta.dirname, '../../web/dist');
const to = join(import.meta.dirname, '../out/renderer');
const isBuilt = await stat(join(from, 'index.html')).catch(() => undefined);

if (isBuilt === undefined) {
  console.error('There is no web build to show. Make one with: npm run build -w @parley/web');
  process.exitCode = 1;
} else {
  await rm(to, { recursive: true, force: true });
  await cp(from, to, {
    recursive: true,
    // What only a web server needs: files packed beforehand, and maps for developers.
    filter: (path) => !/\.(?:br|gz|map)$/.test(path),
  });
}
