/**
 * Bytes of content after which a page or a resync response is full. Without a limit, a resync of
 * many chatrooms with long messages would produce a huge response.
 */
export const RESPONSE_BYTES = 1024 * 1024;

/**
 * Number of rows per query: enough for a default page, and never much more than a response
 * contains.
 */
const BATCH_SIZE = 64;

/** The amount of content that a response may still contain. */
export interface Allowance {
  readonly rows: number;
  /** Bytes of content encoded as JSON, where a control character takes six. */
  readonly bytes: number;
}

/** The rows that fit, and whether there are more. */
export interface BoundedRows<Row> {
  readonly rows: Row[];
  readonly hasMore: boolean;
  /** The unused part of the allowance; never negative. */
  readonly remaining: Allowance;
}

/**
 * Reads rows until the allowance is used up. Includes the row that exceeds the allowed bytes, so
 * that every call makes progress.
 * @param read returns the next `count` rows after `last`, or the first ones.
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
    // One extra row shows whether there are more.
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
