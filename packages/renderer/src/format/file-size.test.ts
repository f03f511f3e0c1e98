import { expect, test } from 'vitest';
import { formatFileSize } from './file-size.ts';

test.each([
  [0, '1 kB', '1 kB'],
  [22, '1 kB', '1 kB'],
  [12_345, '12 kB', '12 kB'],
  [3_440_000, '3.4 MB', '3,4 MB'],
  [34_400_000, '34 MB', '34 MB'],
  [1_200_000_000, '1.2 GB', '1,2 GB'],
  [5_000_000_000_000, '5,000 GB', '5.000 GB'],
])('formats %d bytes in the units of a language', (bytes, english, german) => {
  const sizes = [formatFileSize(bytes, 'en'), formatFileSize(bytes, 'de')];
  expect(sizes.map((size) => size.replaceAll('\u00a0', ' '))).toEqual([english, german]);
});
