import { serverRoots } from '@parley/contract';
import { bundleTexts } from '@parley/texts/bundling';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { firstLoadBudget } from './scripts/first-load-budget.ts';
import { serviceWorker } from './scripts/service-worker-plugin.ts';

const SERVER = 'http://localhost:3000';
/** Limit of the JavaScript that the login screen needs. Compressed bytes. */
const FIRST_LOAD_MAX = 150 * 1024;

export default defineConfig({
  plugins: [
    react(),
    bundleTexts('app', 'screens', 'desktop'),
    firstLoadBudget(FIRST_LOAD_MAX),
    serviceWorker(),
  ],
  build: {
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    outDir: 'dist',
    assetsDir: 'assets',
    // Disables inlining, as the content security policy blocks sounds and fonts in `data:` URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
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
