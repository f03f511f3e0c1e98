import { afterAll, inject } from 'vitest';
import { closeIdleServers } from './idle-servers.ts';

// Read by `startServer`, also in modules that do not run in Vitest.
process.env['PARLEY_TEST_SQLITE_TEMPLATE'] = inject('sqliteTemplate');

afterAll(closeIdleServers);
