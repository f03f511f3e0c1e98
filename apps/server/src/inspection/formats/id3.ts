import type { ByteSource } from './byte-source.ts';

/** Returns whether a file begins with an ID3v2 tag. */
export function hasLeadingTag(head: Buffer): boolean {
  return head.toString('latin1', 0, 3) === 'ID3';
}

/** Returns the offset of the first byte after the ID3v2 tags at the beginning of a file. */
export async function afterLeadingTags(source: ByteSource): Promise<number> {
  let at = 0;
  for (;;) {
    source.step();
    const head = await source.bytesUpTo(at, 10);
    if (head.length < 10 || !hasLeadingTag(head)) return at;
    // The length has four groups of seven bits. A flag announces a footer of ten bytes.
    const length =
      ((head.readUInt8(6) & 0x7f) << 21) |
      ((head.readUInt8(7) & 0x7f) << 14) |
      ((head.readUInt8(8) & 0x7f) << 7) |
      (head.readUInt8(9) & 0x7f);
    at += 10 + length + ((head.readUInt8(5) & 0x10) === 0 ? 0 : 10);
  }
}
