import type { ByteSource } from './byte-source.ts';

/** Where the sound begins and ends between the tags that MP3 and AAC files carry around it. */
export async function withoutTags(source: ByteSource): Promise<{ start: number; end: number }> {
  return { start: await afterLeadingTags(source), end: await beforeTrailingTags(source) };
}

/** Whether a file begins with an ID3v2 tag, which the sound follows. */
export function hasLeadingTag(head: Buffer): boolean {
  return head.toString('latin1', 0, 3) === 'ID3';
}

async function afterLeadingTags(source: ByteSource): Promise<number> {
  let at = 0;
  for (;;) {
    source.step();
    const head = await source.upTo(at, 10);
    if (head.length < 10 || !hasLeadingTag(head)) break;
    // Four times seven bits; a flag announces a footer of ten bytes.
    const length =
      (head.readUInt8(6) << 21) |
      (head.readUInt8(7) << 14) |
      (head.readUInt8(8) << 7) |
      head.readUInt8(9);
    at += 10 + length + ((head.readUInt8(5) & 0x10) === 0 ? 0 : 10);
  }
  // Some writers leave room for longer tags.
  const room = await source.upTo(at, 64 * 1024);
  const sound = room.findIndex((byte) => byte !== 0);
  return sound === -1 ? at : at + sound;
}

async function beforeTrailingTags(source: ByteSource): Promise<number> {
  let end = source.size;
  if (end >= 128 && (await source.bytes(end - 128, 3)).toString('latin1') === 'TAG') end -= 128;
  if (end >= 32) {
    const footer = await source.bytes(end - 32, 32);
    if (footer.toString('latin1', 0, 8) === 'APETAGEX') {
      const header = (footer.readUInt32LE(20) & 0x80000000) === 0 ? 0 : 32;
      end -= Math.min(end, footer.readUInt32LE(12) + header);
    }
  }
  return end;
}
