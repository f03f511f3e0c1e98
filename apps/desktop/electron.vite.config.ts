import { defineConfig } from 'electron-vite';
import { join } from 'node:path';

const SHELL = join(import.meta.dirname, 'src/shell');

export default defineConfig({
  main: {
    // What a packager may set: where new versions are announced. Empty means that nobody asks.
    define: {
      __UPDATE_FEED__: JSON.stringify(process.env['PARLEY_UPDATE_FEED'] ?? ''),
    },
    build: { rolldownOptions: { input: 'src/main/boot.ts' } },
  },
  preload: {
    build: {
      rolldownOptions: {
        input: { server: 'src/preload/server.ts', shell: 'src/preload/shell.ts' },
        // A sandboxed preload cannot be an ES module.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: SHELL,
    build: {
      outDir: join(import.meta.dirname, 'out/shell'),
      rolldownOptions: {
        // By name: a list would be joined to an empty default.
        input: { servers: join(SHELL, 'servers.html') },
      },
    },
  },
});
