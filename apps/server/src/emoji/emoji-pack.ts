/** Finds the compressed image of an emoji by its code, such as `1f600`. */
export type EmojiPack = (code: string) => Buffer | undefined;

type Span = [offset: number, length: number];

// Format: u32 length of the index | index as JSON | bytes.
const LENGTH_BYTES = 4;

/** Packs images by their codes into an archive for {@link readEmojiPack}. */
export function writeEmojiPack(images: ReadonlyMap<string, Buffer>): Buffer {
  const index: Record<string, Span> = {};
  let size = 0;
  for (const [code, { length }] of images) {
    index[code] = [size, length];
    size += length;
  }
  const head = Buffer.from(JSON.stringify(index));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, ...images.values()]);
}

/** Opens an archive of {@link writeEmojiPack}. The images are views into it, not copies. */
export function readEmojiPack(pack: Buffer): EmojiPack {
  const start = LENGTH_BYTES + pack.readUInt32LE(0);
  const index = JSON.parse(pack.toString('utf8', LENGTH_BYTES, start)) as Record<string, Span>;
  const spans = new Map(Object.entries(index));
  return (code) => {
    const [offset, length] = spans.get(code) ?? [0, 0];
    return length === 0 ? undefined : pack.subarray(start + offset, start + offset + length);
  };
}
