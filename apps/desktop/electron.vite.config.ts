import { bundleTexts } from '@parley/texts/bundling';
import { defineConfig } from 'electron-vite';
import { join } from 'node:path';

const PICKER = join(import.meta.dirname, 'src/picker');

export default defineConfig({
  main: {
    plugins: [bundleTexts('desktop')],
    // The publisher's update feed. Without it, the app does not check for updates.
    define: {
      __UPDATE_FEED__: JSON.stringify(process.env['PARLEY_UPDATE_FEED'] ?? ''),
    },
    build: { rolldownOptions: { input: 'src/main/boot.ts' } },
  },
  preload: {
    build: {
      rolldownOptions: {
        input: { server: 'src/preload/server-preload.ts', picker: 'src/preload/picker-preload.ts' },
        // A sandboxed preload cannot be an ES module.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: PICKER,
    plugins: [bundleTexts('desktop')],
    build: {
      outDir: join(import.meta.dirname, 'out/picker'),
      rolldownOptions: {
        // An object, as electron-vite would merge a list with an empty default.
        input: { picker: join(PICKER, 'picker.html') },
      },
    },
  },
});
