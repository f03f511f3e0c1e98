import { serverRoots } from '@parley/contract';
import { bundleTexts } from '@parley/texts/bundling';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { CHUNK_GROUPS } from './scripts/chunk-groups.ts';
import { firstLoadBudget } from './scripts/first-load-budget.ts';
import { webManifest } from './scripts/manifest-plugin.ts';
import { preloads } from './scripts/preload-plugin.ts';
import { serviceWorker } from './scripts/service-worker-plugin.ts';

const SERVER = 'http://localhost:3000';
/** Limits of the JavaScript that the first screen needs. */
const FIRST_LOAD = {
  login: { files: 3, size: 150 * 1024 },
  chats: { files: 6, size: 300 * 1024 },
};

export default defineConfig({
  plugins: [
    react(),
    bundleTexts(
      'app',
      'causes',
      'data',
      'dialogs',
      'information',
      'invitations',
      'list',
      'keyboard',
      'settings',
      'notifications',
      'screens',
      'search',
      'selection',
      'share',
      'desktop',
    ),
    firstLoadBudget(FIRST_LOAD),
    webManifest(),
    preloads(),
    serviceWorker(),
  ],
  build: {
    target: ['chrome123', 'edge123', 'firefox124', 'safari17.5'],
    outDir: 'dist',
    assetsDir: 'assets',
    // Disables inlining, as the content security policy blocks sounds and fonts in `data:` URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: CHUNK_GROUPS } } },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(
      // Keeps the browser's `Host` header, without which the server's origin check would reject requests.
      serverRoots().map((root) => [root, { target: SERVER, changeOrigin: false, ws: true }]),
    ),
  },
  preview: { port: 4173, proxy: {} },
});
