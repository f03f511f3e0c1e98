import { cp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

// Copies the web build unchanged into the app, which serves it itself and needs no service worker.

const from = join(import.meta.dirname, '../../web/dist');
const to = join(import.meta.dirname, '../out/renderer');
const index = await stat(join(from, 'index.html')).catch(() => undefined);

if (index === undefined) {
  console.error('The web build is missing. Run: npm run build -w @parley/web');
  process.exitCode = 1;
} else {
  await rm(to, { recursive: true, force: true });
  await cp(from, to, {
    recursive: true,
    // The app does not need precompressed files and source maps either.
    filter: (path) => !/\.(?:br|gz|map)$|[/\\]service-worker\.js$/.test(path),
  });
}
