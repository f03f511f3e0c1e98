import { withPseudoLanguage } from '@parley/texts/pseudo-language';
import { defineConfig } from 'vitest/config';

/** Tests that need object storage. */
const NEEDS_STORE = 'src/media-store/object-*.test.ts';

/** Compares how long requests take, so it runs without others. */
const TIMING = 'test/indistinguishable.test.ts';

/** Tests without a database, or of SQLite's files. */
const WITHOUT_POSTGRES = [
  'src/{avatars,cli,docs,emoji,files,http,metrics,public-config,single-binary,web-client}/**',
  'src/doctor/doctor.test.ts',
  'src/erasure/no-traces.test.ts',
  'src/mail/smtp-delivery.test.ts',
  'src/media/formats/**',
  'src/media/{marked-recordings,metadata,recordings,slow-readers,upload-memory}.test.ts',
  'src/operator/erasure-after-upgrade.test.ts',
  'src/realtime/packets-and-frames.test.ts',
  'src/storage/sqlite/**',
  'test/attacks/**',
  'test/{binary,caddy,crash,layers,nginx,server-languages,unique-names}.test.ts',
  'test/frozen/**',
];

/** Gives random tests the same cases in each run. */
const SEED_SETUP = '../../packages/testing/src/seed-properties.ts';

// Long, because more tests run at the same time than there are cores.
const timeouts = { testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    // More than the two cores of CI, because tests mostly wait for timers, databases and processes.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: 'server',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [NEEDS_STORE, TIMING],
          setupFiles: [SEED_SETUP],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'postgres',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [NEEDS_STORE, TIMING, ...WITHOUT_POSTGRES],
          globalSetup: ['test/postgres-setup.ts'],
          setupFiles: [SEED_SETUP, 'test/postgres-worker.ts'],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'object-store',
          include: [
            NEEDS_STORE,
            'src/accounts/account-deletion.test.ts',
            'src/erasure/eraser.test.ts',
            'src/media/media.routes.test.ts',
            'src/media/recordings.test.ts',
            'src/media/slow-readers.test.ts',
            'src/media/upload.test.ts',
            'src/media/upload-failures.test.ts',
            'src/media/upload-memory.test.ts',
            'src/reinspection/reinspection.test.ts',
            'src/reports/report-files.test.ts',
            'src/retention/retention.test.ts',
          ],
          globalSetup: ['test/object-store-setup.ts'],
          setupFiles: ['test/object-store-worker.ts'],
          ...timeouts,
        },
      },
      {
        test: { name: 'timing', include: [TIMING], sequence: { groupOrder: 1 }, ...timeouts },
      },
      {
        test: {
          name: 'timing-postgres',
          include: [TIMING],
          globalSetup: ['test/postgres-setup.ts'],
          setupFiles: ['test/postgres-worker.ts'],
          sequence: { groupOrder: 2 },
          ...timeouts,
        },
      },
      {
        resolve: withPseudoLanguage(),
        test: {
          name: 'pseudo-language',
          include: ['src/mail/mail-template.test.ts', 'test/server-languages.test.ts'],
          ...timeouts,
        },
      },
    ],
  },
});
