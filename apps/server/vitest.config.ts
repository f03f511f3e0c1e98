import {
  isLongRun,
  MAX_WORKERS,
  SETUP_FILES,
  SHARED_MODULES,
  TIMEOUTS,
} from '@parley/testing/scope';
import { withPseudoLanguage } from '@parley/texts/pseudo-language';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

/** Tests that need object storage. */
const NEEDS_STORE = 'src/media-store/object-*.test.ts';

/** In the long run, it compares how long requests take, so it runs without others. */
const TIMING = 'test/indistinguishable.test.ts';

/** Tests whose uploads and files end in object storage in the long run only, as others store and read them there. */
const LONG_ON_STORE = [
  'src/exports/export.test.ts',
  'src/media/{recordings,upload}.test.ts',
  'src/reinspection/reinspection.test.ts',
];

/** Attacks, and crashes and faults at random times. */
const LONG = [
  'test/attacks/**',
  'test/{crash,process-faults,silent-connections,store-faults}.test.ts',
];

/**
 * Tests that together issue every statement, those of several processes on one database, and those of what only
 * PostgreSQL does. In the long run, all others that need a database also run on PostgreSQL.
 */
const ON_POSTGRES = [
  'src/accounts/{account,account-deletion,email-change,registration,suspension}.test.ts',
  'src/backup/backup-between-engines.test.ts',
  'src/chatrooms/{changes,chat-settings,concurrency,consent,history}.test.ts',
  'src/clock/future-times.test.ts',
  'src/doctor/postgres-check.test.ts',
  'src/erasure/eraser.test.ts',
  'src/exports/export.test.ts',
  'src/invitations/user-invitation.test.ts',
  'src/mail/mail-leader.test.ts',
  'src/media/{copy,sweep}.test.ts',
  'src/messages/{change,reactions,replies,send}.test.ts',
  'src/notifications/{push,shared-push,subscriptions}.test.ts',
  'src/plugins/shared-limits.test.ts',
  'src/presence/shared-presence.test.ts',
  'src/quotas/quota.test.ts',
  'src/receipts/receipts.test.ts',
  'src/relationships/relationship.test.ts',
  'src/reports/report.test.ts',
  'src/retention/retention.test.ts',
  'src/search/search-property.test.ts',
  'src/sessions/session.store.test.ts',
  'src/storage/postgres/*.test.ts',
  'src/storage/{database-id,hidden-messages,schema-parity,storage}.test.ts',
  'test/{load-balancer,several-processes}.test.ts',
  'test/send-path/send-path.test.ts',
];

/** Tests without a database, or of SQLite's files. */
const WITHOUT_POSTGRES = [
  'src/{avatars,cli,docs,emoji,files,http,metrics,public-config,single-binary,web-client}/**',
  'src/doctor/doctor.test.ts',
  'src/erasure/no-traces.test.ts',
  'src/mail/smtp-delivery.test.ts',
  'src/inspection/{formats/**,inspect.test.ts,inspector.test.ts}',
  'src/media/{marked-recordings,metadata,recordings,slow-readers,upload-memory}.test.ts',
  'src/operator/erasure-after-upgrade.test.ts',
  'src/realtime/packets-and-frames.test.ts',
  'src/storage/sqlite/**',
  'test/attacks/**',
  'test/{binary,caddy,crash,failed-starts,layers,nginx,server-languages}.test.ts',
  'test/frozen/**',
];

/** Of a file with tests that have this tag, only these run on PostgreSQL, but all in the long run. */
const POSTGRES_TAG = {
  name: 'postgres',
  description: 'issues statements that other tests on PostgreSQL do not',
};

/** What the projects with servers that share modules have in common. */
const SERVER_TESTS = { tags: [POSTGRES_TAG], ...SHARED_MODULES, ...TIMEOUTS };

/** The setup files of all projects with servers. */
const SERVER_SETUP_FILES = [...SETUP_FILES, 'test/report-server-logs.ts'];

const timing: TestProjectConfiguration[] = [
  {
    test: { name: 'timing', include: [TIMING], sequence: { groupOrder: 1 }, ...TIMEOUTS },
  },
  {
    test: {
      name: 'timing-postgres',
      include: [TIMING],
      globalSetup: ['test/postgres-setup.ts'],
      setupFiles: ['test/postgres-worker.ts'],
      sequence: { groupOrder: 2 },
      ...TIMEOUTS,
    },
  },
];

export default defineConfig({
  test: {
    maxWorkers: MAX_WORKERS,
    projects: [
      {
        test: {
          name: 'server',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [NEEDS_STORE, ...(isLongRun ? [TIMING] : LONG)],
          globalSetup: ['test/sqlite-setup.ts'],
          setupFiles: [...SERVER_SETUP_FILES, 'test/sqlite-worker.ts'],
          ...SERVER_TESTS,
        },
      },
      {
        test: {
          name: 'postgres',
          include: isLongRun ? ['src/**/*.test.ts', 'test/**/*.test.ts'] : ON_POSTGRES,
          exclude: [NEEDS_STORE, TIMING, ...WITHOUT_POSTGRES],
          globalSetup: ['test/postgres-setup.ts'],
          setupFiles: [...SERVER_SETUP_FILES, 'test/postgres-worker.ts'],
          ...(!isLongRun && { runner: 'test/tagged-runner.ts' }),
          ...SERVER_TESTS,
        },
      },
      {
        test: {
          name: 'object-store',
          include: [
            NEEDS_STORE,
            'src/accounts/account-deletion.test.ts',
            'src/erasure/eraser.test.ts',
            'src/media/{copy,media.routes,slow-readers,upload-failures,upload-memory}.test.ts',
            'src/reports/report-files.test.ts',
            'src/retention/retention.test.ts',
            ...(isLongRun ? LONG_ON_STORE : []),
          ],
          globalSetup: ['test/sqlite-setup.ts', 'test/object-store-setup.ts'],
          setupFiles: [
            ...SERVER_SETUP_FILES,
            'test/sqlite-worker.ts',
            'test/object-store-worker.ts',
          ],
          ...SERVER_TESTS,
        },
      },
      ...(isLongRun ? timing : []),
      {
        resolve: withPseudoLanguage(),
        test: {
          name: 'pseudo-language',
          include: ['src/mail/mail-template.test.ts', 'test/server-languages.test.ts'],
          ...TIMEOUTS,
        },
      },
    ],
  },
});
