import { createHash } from 'node:crypto';

/**
 * Returns the variables of the object store in which a data folder's server keeps its media: a
 * folder of the store of the test run. Returns nothing if the tests run without object storage.
 */
export function objectStoreOf(dataDir: string): Record<string, string> {
  const store = process.env['PARLEY_TEST_STORE'];
  if (store === undefined) return {};
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env;
  const url = new URL(store);
  const folder = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${folder}`;
  return { PARLEY_MEDIA_STORE: url.href, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
}
