import { testLaunchOptions, TEST_DEVICE } from '@parley/testing/browser';
import {
  isLongRun,
  MAX_WORKERS,
  SETUP_FILES,
  SHARED_MODULES,
  TIMEOUTS,
} from '@parley/testing/scope';
import { bundleTexts } from '@parley/texts/bundling';
import { withPseudoLanguage } from '@parley/texts/pseudo-language';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { msw } from 'msw/vite';
import { configDefaults, defineConfig } from 'vitest/config';
import { tapScreen } from './test/component/support/tap-screen.ts';

/** The folder of the tests that run the whole app in a browser. */
const COMPONENT_TESTS = 'test/component/**/*.test.{ts,tsx}';

/** Those of them that need a touch screen. */
const TOUCH_TESTS = 'test/component/**/*.touch.test.{ts,tsx}';

/** The build of React for development warns of more mistakes, but records the stack of each element it creates. */
const REACT_BUILD = isLongRun ? 'development' : 'production';

function chromiumProvider({ hasTouch = false } = {}) {
  return playwright({
    actionTimeout: 30_000,
    contextOptions: { ...TEST_DEVICE, permissions: ['microphone'], hasTouch },
    launchOptions: testLaunchOptions(process.env),
  });
}

const shared = {
  // tokens.test.ts reads the source of a stylesheet. Vitest empties stylesheets by default.
  css: { include: /\?raw$/ },
  ...TIMEOUTS,
};

export default defineConfig({
  test: {
    maxWorkers: MAX_WORKERS,
    projects: [
      {
        test: {
          name: 'renderer',
          setupFiles: [...SETUP_FILES],
          exclude: [...configDefaults.exclude, COMPONENT_TESTS],
          ...SHARED_MODULES,
          ...shared,
        },
      },
      {
        resolve: withPseudoLanguage(),
        test: {
          name: 'pseudo-language',
          include: ['src/i18n/page-languages.test.tsx'],
          ...shared,
        },
      },
      {
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
          ),
          msw({ mode: 'worker-only' }),
        ],
        // The folder of the tests' service worker is not that of the pages.
        server: { headers: { 'service-worker-allowed': '/' } },
        // The translator reads it.
        define: {
          'process.env.PARLEY_TEST_LANGUAGES': JSON.stringify(
            process.env['PARLEY_TEST_LANGUAGES'] ?? 'en',
          ),
        },
        oxc: { jsx: { development: isLongRun } },
        optimizeDeps: {
          rolldownOptions: {
            transform: { define: { 'process.env.NODE_ENV': JSON.stringify(REACT_BUILD) } },
          },
          // A dependency that is found during a run would reload the page.
          noDiscovery: true,
          include: [
            '@base-ui/react/alert-dialog',
            '@base-ui/react/checkbox',
            '@base-ui/react/combobox',
            '@base-ui/react/dialog',
            '@base-ui/react/field',
            '@base-ui/react/menu',
            '@base-ui/react/popover',
            '@base-ui/react/radio',
            '@base-ui/react/radio-group',
            '@base-ui/react/tabs',
            '@base-ui/react/tooltip',
            'axe-core',
            'emoji-picker-react',
            'emoji-picker-react/data',
            'emoji-picker-react/data/emojis-de',
            'i18next',
            'idb',
            'ky',
            'lean-qr',
            'lucide-react',
            'msw',
            'msw/browser',
            'react',
            'react-dom',
            'react-dom/client',
            'react-i18next',
            'react-router-dom',
            'react-toastify/unstyled',
            isLongRun ? 'react/jsx-dev-runtime' : 'react/jsx-runtime',
            'socket.io-client',
            'typebox',
            'typebox/value',
            'virtua',
            'zustand',
            'zustand/vanilla',
          ],
        },
        test: {
          name: 'component',
          include: [COMPONENT_TESTS],
          setupFiles: ['test/component/support/component-setup.ts'],
          // One page for all files of a worker, as loading the app takes longer than most tests.
          isolate: false,
          expect: { poll: { timeout: 20_000, interval: 20 } },
          browser: {
            enabled: true,
            headless: true,
            // A page that has emulated touch once can never hover again, so touch has pages of its own.
            instances: [
              { browser: 'chromium', name: 'component', exclude: [TOUCH_TESTS] },
              {
                browser: 'chromium',
                name: 'component-touch',
                include: [TOUCH_TESTS],
                provider: chromiumProvider({ hasTouch: true }),
              },
            ],
            viewport: TEST_DEVICE.viewport,
            commands: { tapScreen },
            screenshotFailures: false,
            traceView: false,
            dependencySourcemaps: false,
            provider: chromiumProvider(),
          },
          ...TIMEOUTS,
        },
      },
    ],
  },
});
