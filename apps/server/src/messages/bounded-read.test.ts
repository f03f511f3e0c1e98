import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBounded } from './bounded-read.ts';

interface Row {
  at: number;
  content: string;
}

function table(lengths: readonly number[]) {
  const rows = lengths.map((length, at): Row => ({ at, content: 'x'.repeat(length) }));
  let readBytes = 0;
  const read = async (last: Row | undefined, count: number) => {
    const found = rows.slice((last?.at ?? -1) + 1).slice(0, count);
    readBytes += found.reduce((sum, { content }) => sum + content.length, 0);
    return found;
  };
  return { rows, read, readBytes: () => readBytes };
}

/** Bytes that JSON adds to a text. */
const QUOTES = 2;

test('returns the rows that fit, including the one that exceeds the allowance, and whether there are more', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(100), { maxLength: 300 }),
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 1, max: 10_000 }),
      async (lengths, rowsMax, bytes) => {
        const { rows, read } = table(lengths);
        const found = await readBounded({ rows: rowsMax, bytes }, read);
        let used = 0;
        const expected = rows.slice(0, rowsMax).filter(({ content }) => {
          const fits = used < bytes;
          used += content.length + QUOTES;
          return fits;
        });
        expect(found.rows).toEqual(expected);
        expect(found.hasMore).toBe(expected.length < rows.length);
        expect(found.remaining.rows).toBe(rowsMax - expected.length);
      },
    ),
  );
});

test('reads hardly more rows than it returns', async () => {
  const { read, readBytes } = table(Array(1_000).fill(40_000));
  const { rows, remaining } = await readBounded({ rows: 1_000, bytes: 1_000_000 }, read);
  expect(rows).toHaveLength(25);
  expect(remaining.bytes).toBe(0);
  expect(readBytes()).toBeLessThan(3_000_000);
});

test('counts bytes as encoded in the response', async () => {
  const rows = ['😀', 'é', '\u0001', 'a'].map((content) => ({ content }));
  const read = async (last: unknown) => (last === undefined ? rows : []);
  const { remaining } = await readBounded({ rows: 10, bytes: 100 }, read);
  expect(100 - remaining.bytes).toBe(4 + 2 + 6 + 1 + 4 * QUOTES);
});
