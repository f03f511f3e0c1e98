import { serverRoots } from '@parley/contract';
import { bundleTexts } from '@parley/texts/bundling';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { firstLoadBudget } from './scripts/first-load-budget.ts';
import { serviceWorker } from './scripts/service-worker-plugin.ts';

const SERVER = 'http://localhost:3000';
/** What a person waits for before the login can be used. Bytes, compressed. */
const FIRST_LOAD_MAX = 150 * 1024;

export default defineConfig({
  plugins: [
    react(),
    bundleTexts('app', 'desktop'),
    firstLoadBudget(FIRST_LOAD_MAX),
    serviceWorker(),
  ],
  build: {
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    outDir: 'dist',
    assetsDir: 'assets',
    // The content security policy allows no data: scripts or styles; small pictures stay files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(
      // The server sees the address that the browser sees, or its origin check would refuse us.
      serverRoots().map((root) => [root, { target: SERVER, changeOrigin: false, ws: true }]),
    ),
  },
  preview: { port: 4173, proxy: {} },
});
