import { expect, test } from 'vitest';
import { describeFileCount } from './file-count.ts';

test('counts a single file in the singular', () => {
  expect([0, 1, 2].map((count) => describeFileCount(count))).toEqual([
    '0 files',
    '1 file',
    '2 files',
  ]);
  expect(describeFileCount(1, 'media file')).toBe('1 media file');
});
