import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createByteSource } from './byte-source.ts';
import { svg } from './svg.ts';

async function read(width: string) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-svg-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'a.svg');
  await writeFile(
    file,
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="30"></svg>`,
  );
  const handle = await open(file, 'r');
  try {
    const source = await createByteSource(handle);
    const begun = performance.now();
    const found = await svg.read(source);
    return { width: found.width, took: performance.now() - begun };
  } finally {
    await handle.close();
  }
}

test.each([
  ['40', 40],
  [' 40.6px ', 41],
  ['.9', 1],
  ['40.', undefined],
  ['0', undefined],
  ['50%', undefined],
  ['1e3', undefined],
  ['', undefined],
])('a width of «%s» is %s', async (given, expected) => {
  expect((await read(given)).width).toBe(expected);
});

test('a length of thousands of digits keeps nobody waiting', async () => {
  const { width, took } = await read(`${'9'.repeat(8_000)}x`);
  expect(width).toBeUndefined();
  // Tried from each digit to each other one, it takes about a second.
  expect(took).toBeLessThan(250);
});
