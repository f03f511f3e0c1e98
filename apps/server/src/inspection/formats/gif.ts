import { MalformedFileError, type ByteSource } from './byte-source.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { AnimationBudget, assertCheapImage, assertComplete } from './image-budget.ts';
import { endOfBlocks, readGifData } from './gif-data.ts';
import { Pieces } from './pieces.ts';

// Block types and extension labels of GIF89a.
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;

/** Application extensions for the loop count. Others hold XMP and similar data. */
const LOOP_EXTENSIONS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0']);

/** GIF, including animations. */
export const gif: MediaFormat = {
  kind: 'image',
  mime: 'image/gif',
  extension: 'gif',
  detectedAs: ['image/gif'],
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const signature = (await source.bytes(0, 6)).toString('latin1');
  if (!/^GIF8[79]a$/.test(signature)) throw new MalformedFileError('no signature');
  const screen = await source.bytes(6, 7);
  const width = screen.readUInt16LE(0);
  const height = screen.readUInt16LE(2);
  const first = 13 + colorTableSize(screen.readUInt8(4));

  const body = new Pieces();
  const animation = new AnimationBudget();
  // Some decoders enlarge the canvas to fit all frames.
  let [right, bottom] = [width, height];
  let control: Buffer | undefined;
  let loop: Buffer | undefined;
  let decoded = 0;
  for (let at = first; at < source.size;) {
    const [type, label = 0] = await source.bytesUpTo(at, 2);
    if (type === TRAILER) break;
    let end;
    if (type === IMAGE) {
      const image = await source.bytes(at, 10);
      right = Math.max(right, image.readUInt16LE(1) + image.readUInt16LE(5));
      bottom = Math.max(bottom, image.readUInt16LE(3) + image.readUInt16LE(7));
      const dataAt = at + 10 + colorTableSize(image.readUInt8(9));
      // Some decoders give a frame without a size that of the canvas.
      const pixels = image.readUInt16LE(5) * image.readUInt16LE(7) || width * height;
      const data = await readGifData(source, dataAt, pixels);
      end = data.end;
      decoded += data.pixels;
      if (control !== undefined) body.insert(control);
      body.keep(at, dataAt);
      body.append(data.pieces);
      // The delay is in hundredths of a second.
      animation.addFrame((control?.readUInt16LE(4) ?? 0) * 10);
      control = undefined;
    } else if (type === EXTENSION) {
      end = await endOfBlocks(source, at + 2);
      const content = await source.bytesUpTo(at + 2, 17);
      if (label === GRAPHIC_CONTROL) control = controlBlock(content);
      else if (label === APPLICATION) loop ??= loopBlock(content);
    } else {
      throw new MalformedFileError('an invalid block');
    }
    at = end;
  }
  if (animation.frames === 0) throw new MalformedFileError('no image data');
  animation.assertCheap(right, bottom);

  const pieces = new Pieces();
  pieces.keep(0, first);
  if (loop !== undefined) pieces.insert(loop);
  pieces.append(body);
  pieces.insert(Buffer.from([TRAILER]));
  const canvas = { width: right, height: bottom };
  assertCheapImage(canvas);
  assertComplete(canvas, decoded >= width * height);
  return { width, height, frames: animation.frames, pieces };
}

/** Rebuilds a graphic control extension, which describes how the next frame is shown. */
function controlBlock(content: Buffer): Buffer {
  if (content.length < 6 || content[0] !== 4)
    throw new MalformedFileError('an invalid graphic control extension');
  return Buffer.concat([
    Buffer.from([EXTENSION, GRAPHIC_CONTROL]),
    content.subarray(0, 5),
    Buffer.alloc(1),
  ]);
}

/** Rebuilds a loop extension, or returns undefined for other application extensions. */
function loopBlock(content: Buffer): Buffer | undefined {
  if (content.length < 16 || !LOOP_EXTENSIONS.has(content.toString('latin1', 1, 12)))
    return undefined;
  if (content[12] !== 3 || content[13] !== 1) return undefined;
  return Buffer.concat([
    Buffer.from([EXTENSION, APPLICATION, 11]),
    Buffer.from('NETSCAPE2.0\x03\x01', 'latin1'),
    content.subarray(14, 16),
    Buffer.alloc(1),
  ]);
}

/** Returns the size in bytes of the color table that a flags byte announces. */
function colorTableSize(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}
