/**
 * Bytes of content after which a page or a catch-up is full: a thousand rooms full of the longest
 * messages must not become one answer.
 */
export const RESPONSE_BYTES = 1024 * 1024;

/** Rows that are read in one go: a default page at once, and never much more than an answer holds. */
const BATCH_SIZE = 64;

/** How much fits into an answer. */
export interface Allowance {
  readonly rows: number;
  /** Of content, as JSON carries it: there, a control character has six. */
  readonly bytes: number;
}

/** Some rows, and whether there are more. */
export interface BoundedRows<Row> {
  readonly rows: Row[];
  readonly hasMore: boolean;
  /** What others may still use of the allowance; nothing is below zero. */
  readonly remaining: Allowance;
}

/**
 * Reads rows until the allowance is used up, the row that uses it up included: at least one, if
 * there is one and `rows` is not 0. `read` gives the next `count` rows after `last`, or the first
 * ones; it is never asked for much more than is returned.
 */
export async function readBounded<Row extends { content: string }>(
  { rows: maxRows, bytes }: Allowance,
  read: (last: Row | undefined, count: number) => Promise<Row[]>,
): Promise<BoundedRows<Row>> {
  const rows: Row[] = [];
  let bytesLeft = bytes;
  const finish = (hasMore: boolean) => ({
    rows,
    hasMore,
    remaining: { rows: maxRows - rows.length, bytes: Math.max(0, bytesLeft) },
  });
  for (;;) {
    const isFull = bytesLeft <= 0;
    // One more than fits tells whether there are more.
    const count = isFull ? 1 : Math.min(maxRows - rows.length + 1, BATCH_SIZE);
    const slice = await read(rows.at(-1), count);
    for (const row of slice) {
      if (rows.length === maxRows || bytesLeft <= 0) return finish(true);
      rows.push(row);
      bytesLeft -= Buffer.byteLength(JSON.stringify(row.content));
    }
    if (slice.length < count) return finish(false);
  }
}
