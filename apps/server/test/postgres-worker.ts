import { inject } from 'vitest';

// Read by `acquireTestDatabase`, also in modules that do not run in Vitest.
process.env['PARLEY_TEST_CLUSTER'] = inject('cluster');
