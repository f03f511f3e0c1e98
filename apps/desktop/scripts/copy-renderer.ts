import { cp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

// The app shows the same files as browsers get: the web build, copied unchanged. It keeps them itself and has
// no use for the service worker.

const from = join(import.meta.dirname, '../../web/dist');
const to = join(import.meta.dirname, '../out/renderer');
const isBuilt = await stat(join(from, 'index.html')).catch(() => undefined);

if (isBuilt === undefined) {
  console.error('The web build is missing. Run: npm run build -w @parley/web');
  process.exitCode = 1;
} else {
  await rm(to, { recursive: true, force: true });
  await cp(from, to, {
    recursive: true,
    // Leaves out precompressed files and source maps, too, which the app does not need.
    filter: (path) => !/\.(?:br|gz|map)$|[/\\]service-worker\.js$/.test(path),
  });
}
