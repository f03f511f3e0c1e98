import { inject } from 'vitest';

// Read by `objectStoreOf`, also in modules that do not run in Vitest.
const { url, keys } = inject('objectStore');
process.env['PARLEY_TEST_STORE'] = url;
Object.assign(process.env, keys);
