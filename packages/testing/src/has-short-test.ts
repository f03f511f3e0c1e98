import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const BROWSER_TESTS_FOLDER = join(import.meta.dirname, '../../../apps/e2e/src');

/** Returns whether a file of browser tests, such as `chatroom`, has a test that does not belong to the long run. */
export function hasShortTest(name: string): boolean {
  const path = join(BROWSER_TESTS_FOLDER, `${name}.test.ts`);
  if (!existsSync(path)) return false;
  const titles = readFileSync(path, 'utf8').matchAll(/\btest\(\s*(['`])(.*?)\1/g);
  return titles.some(([, , title = '']) => !title.includes('@long'));
}
