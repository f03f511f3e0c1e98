import { inject } from 'vitest';

// Read by `startServer`, also in modules that do not run in Vitest.
process.env['PARLEY_TEST_SQLITE_TEMPLATE'] = inject('sqliteTemplate');
