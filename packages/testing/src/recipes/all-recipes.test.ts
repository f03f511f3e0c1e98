import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ALL_RECIPES } from './all-recipes.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const FILES_MAX = 12;

test.each(ALL_RECIPES)(
  '$name changes few files, each at one place',
  ({ edits, tests, existingTests }) => {
    expect(new Set(edits.map(({ file }) => file)).size).toBeLessThanOrEqual(FILES_MAX);
    for (const { file, text } of [...edits, ...tests]) {
      const path = join(ROOT, file);
      if (text === undefined) expect(existsSync(path), file).toBe(false);
      else expect(readFileSync(path, 'utf8').split(text), file).toHaveLength(2);
    }
    for (const file of existingTests) expect(existsSync(join(ROOT, file)), file).toBe(true);
  },
);
