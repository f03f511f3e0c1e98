/** A part of a file, first and last byte included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

const SINGLE = /^bytes=\s*(\d*)-(\d*)\s*$/i;

/**
 * The part that a `Range` header (RFC 9110 §14.2) asks for. Undefined if the whole is to be sent, as
 * for a header that cannot be understood or asks for several parts.
 */
export function readRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = header === undefined ? null : SINGLE.exec(header);
  if (match === null) return undefined;
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return undefined;
  // Without a first byte, it is the last so many.
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && from !== '' && Number(to) < first) return undefined;
  return first > last ? 'unsatisfiable' : { first, last };
}
