import { afterAll, inject } from 'vitest';
import { closeIdleServers } from './idle-servers.ts';
import { forgetDatabases } from './test-database.ts';

// Read by `acquireTestDatabase`, also in modules that do not run in Vitest.
process.env['PARLEY_TEST_CLUSTER'] = inject('cluster');

afterAll(async () => {
  await closeIdleServers();
  // What a file leaves running would write to the databases of the next one.
  forgetDatabases();
});
