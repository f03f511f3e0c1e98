import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasShortTest } from '../has-short-test.ts';
import { ALL_FAULTS } from './all-faults.ts';

const ROOT = join(import.meta.dirname, '../../../..');

// A run without tests fails, too, which would look as if a test had seen the fault.
test.each(ALL_FAULTS)('«$name» changes one place, and its tests exist', (fault) => {
  const source = readFileSync(join(ROOT, fault.file), 'utf8');
  expect(source.split(fault.text)).toHaveLength(2);
  for (const path of fault.tests) expect(existsSync(join(ROOT, path)), path).toBe(true);
  for (const name of fault.browser ?? []) {
    expect(hasShortTest(name), name).toBe(true);
  }
});
