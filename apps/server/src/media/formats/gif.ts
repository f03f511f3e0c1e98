import { MalformedFile, type ByteSource } from './byte-source.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { Pieces } from './pieces.ts';

// GIF89a.
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;

/** Application extensions that make it move or give its colours; others hold XMP and the like. */
const KEPT = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);

/** GIF, moving ones included. */
export const gif: MediaFormat = {
  kind: 'image',
  mime: 'image/gif',
  ending: 'gif',
  matches: (head) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6)),
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const screen = await source.bytes(6, 7);
  const width = screen.readUInt16LE(0);
  const height = screen.readUInt16LE(2);
  const first = 13 + colourTable(screen.readUInt8(4));

  const pieces = new Pieces();
  pieces.keep(0, first);
  let frames = 0;
  for (let at = first; at < source.size;) {
    const [type, label = 0] = await source.upTo(at, 2);
    if (type === TRAILER) break;
    let end;
    if (type === IMAGE) {
      const image = await source.bytes(at, 10);
      // Its own colours, then one byte: the code size of what follows.
      end = await endOfBlocks(source, at + 10 + colourTable(image.readUInt8(9)) + 1);
      frames += 1;
      pieces.keep(at, end);
    } else if (type === EXTENSION) {
      end = await endOfBlocks(source, at + 2);
      const name = label === APPLICATION ? (await source.upTo(at + 3, 11)).toString('latin1') : '';
      if (label === GRAPHIC_CONTROL || KEPT.has(name)) pieces.keep(at, end);
    } else {
      throw new MalformedFile('no block');
    }
    at = end;
  }
  if (frames === 0) throw new MalformedFile('no picture');
  pieces.insert(Buffer.from([TRAILER]));
  return { width, height, pieces };
}

/** Size in bytes of the colours that a flags byte announces. */
function colourTable(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

/** Where a row of sub-blocks, each with its length in front and an empty one at the end, ends. */
async function endOfBlocks(source: ByteSource, start: number): Promise<number> {
  for (let at = start; ;) {
    source.step();
    const length = (await source.bytes(at, 1)).readUInt8();
    at += 1 + length;
    if (length === 0) return at;
  }
}
