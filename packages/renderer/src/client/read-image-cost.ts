import { frameDelay, type AnimationCost, type DecodedImage } from '@parley/contract';

/** What it costs to show an image, as its file states. Its size is the one in which it is displayed. */
export interface ImageCost extends DecodedImage {
  /** Number of frames, 1 for a still image, and how long they are shown, in milliseconds. */
  readonly frames: AnimationCost['frames'];
  readonly duration: AnimationCost['duration'];
}

/**
 * Reads what it costs to show an image from its file, without decoding it, like the server. Only a part of the file is
 * in memory at a time, and of most images only the beginning is read. Resolves to undefined for an SVG, of which the
 * server makes a picture of limited size, and for any other file.
 * @throws if the file cannot be read
 */
export async function readImageCost(blob: Blob): Promise<ImageCost | undefined> {
  const file = new FileWindow(blob);
  try {
    const head = await file.at(0, 12);
    if (head.getUint16(0) === 0xffd8) return await readJpeg(file);
    if (textAt(head, 1).startsWith('PNG')) return await readPng(file);
    if (textAt(head, 0) === 'GIF8') return await readGif(file);
    if (textAt(head, 0) === 'RIFF' && textAt(head, 8) === 'WEBP') return await readWebp(file);
    if (textAt(head, 0).startsWith('BM')) return await readBmp(file);
  } catch (error) {
    // The file ends before its size is stated.
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

/** Number of bytes of a file that are read at a time. */
const WINDOW = 256 * 1024;

/** A file, of which the bytes around the last position are in memory. */
class FileWindow {
  readonly length: number;
  readonly #blob: Blob;
  #start = 0;
  #bytes = new ArrayBuffer(0);

  constructor(blob: Blob) {
    this.#blob = blob;
    this.length = blob.size;
  }

  /**
   * Returns the bytes at a position, at once if they are in memory.
   * @throws {RangeError} if the file ends before them.
   */
  at(position: number, length: number): DataView | Promise<DataView> {
    const offset = position - this.#start;
    return offset >= 0 && offset + length <= this.#bytes.byteLength
      ? new DataView(this.#bytes, offset, length)
      : this.#load(position, length);
  }

  async #load(position: number, length: number): Promise<DataView> {
    this.#bytes = await this.#blob.slice(position, position + WINDOW).arrayBuffer();
    this.#start = position;
    return new DataView(this.#bytes, 0, length);
  }
}

/** Returns four characters. */
function textAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));
}

const STILL = { frames: 1, duration: 0 };

/** The tag of an image's orientation in Exif. */
const ORIENTATION = 0x0112;

/** Returns whether the Exif data at a position turns an image by 90 degrees. */
async function isTurnedBy(file: FileWindow, exif: number): Promise<boolean> {
  try {
    const header = await file.at(exif, 8);
    const isLittleEndian = textAt(header, 0).startsWith('II');
    const directory = exif + header.getUint32(4, isLittleEndian);
    const count = (await file.at(directory, 2)).getUint16(0, isLittleEndian);
    for (let index = 0; index < count; index += 1) {
      const entry = await file.at(directory + 2 + index * 12, 12);
      if (entry.getUint16(0, isLittleEndian) !== ORIENTATION) continue;
      const orientation = entry.getUint16(8, isLittleEndian);
      return orientation >= 5 && orientation <= 8;
    }
  } catch (error) {
    // The file ends before. It may be an image all the same.
    if (!(error instanceof RangeError)) throw error;
  }
  return false;
}

/** Returns what an image costs with the size in which it is displayed. */
function oriented(cost: ImageCost, isTurned = false): ImageCost {
  return isTurned ? { ...cost, width: cost.height, height: cost.width } : cost;
}

async function readJpeg(file: FileWindow): Promise<ImageCost | undefined> {
  let isTurned: boolean | undefined;
  for (let at = 2; ;) {
    const marker = await file.at(at, 2);
    const code = marker.getUint8(1);
    if (marker.getUint8(0) !== 0xff) return undefined;
    // Fill bytes, and markers without a segment.
    if (code === 0xff) at += 1;
    else if (code === 0x01 || (code >= 0xd0 && code <= 0xd7)) at += 2;
    else if (code >= 0xc0 && code <= 0xc2) {
      const frame = await file.at(at, 10);
      const isProgressive = code === 0xc2;
      const cost = {
        width: frame.getUint16(7),
        height: frame.getUint16(5),
        // Decoders hold a progressive image as coefficients of two bytes until it is complete.
        bytesPerPixel: 4 + (isProgressive ? 2 * frame.getUint8(9) : 0),
        isScalable: true,
        ...STILL,
      };
      return oriented(cost, isTurned);
    } else {
      const isExif = code === 0xe1 && textAt(await file.at(at + 4, 4), 0) === 'Exif';
      if (isExif) isTurned ??= await isTurnedBy(file, at + 10);
      at += 2 + (await file.at(at + 2, 2)).getUint16(0);
    }
  }
}

async function readPng(file: FileWindow): Promise<ImageCost> {
  const frames = new FrameSum();
  const header = await file.at(0, 33);
  const width = header.getUint32(16);
  const height = header.getUint32(20);
  const isDeep = header.getUint8(24) === 16;
  const isInterlaced = header.getUint8(28) !== 0;
  let isAnimated = false;
  let isTurned: boolean | undefined;
  for (let at = 33; at + 38 <= file.length;) {
    const chunk = await file.at(at, 38);
    const type = textAt(chunk, 4);
    if (type === 'acTL') isAnimated = true;
    // The delay is a fraction of a second; a denominator of 0 stands for 100.
    else if (type === 'fcTL') {
      frames.add((chunk.getUint16(28) * 1_000) / (chunk.getUint16(30) || 100));
    } else if (type === 'eXIf') isTurned ??= await isTurnedBy(file, at + 8);
    // Animations are announced before the image data.
    if (type === 'IDAT' && !isAnimated) break;
    at += 12 + chunk.getUint32(0);
  }
  const cost = {
    width,
    height,
    bytesPerPixel: (isDeep ? 8 : 4) + (isInterlaced ? 4 : 0),
    ...(isAnimated ? frames.sum() : STILL),
  };
  return oriented(cost, isTurned);
}

async function readGif(file: FileWindow): Promise<ImageCost> {
  const frames = new FrameSum();
  const screen = await file.at(0, 11);
  let width = screen.getUint16(6, true);
  let height = screen.getUint16(8, true);
  let delay = 0;
  const sizeOfColors = (flags: number): number =>
    (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
  const endOfBlocks = async (start: number): Promise<number> => {
    let at = start;
    while (at < file.length) {
      // There are millions of blocks, so it does not wait for those in memory.
      const found = file.at(at, 1);
      const length = (found instanceof DataView ? found : await found).getUint8(0);
      at += 1 + length;
      if (length === 0) break;
    }
    return at;
  };
  for (let at = 13 + sizeOfColors(screen.getUint8(10)); at + 10 <= file.length;) {
    const block = await file.at(at, 10);
    const type = block.getUint8(0);
    if (type === 0x2c) {
      // Some decoders enlarge the canvas to fit all frames.
      width = Math.max(width, block.getUint16(1, true) + block.getUint16(5, true));
      height = Math.max(height, block.getUint16(3, true) + block.getUint16(7, true));
      frames.add(delay);
      delay = 0;
      at = await endOfBlocks(at + 11 + sizeOfColors(block.getUint8(9)));
    } else if (type === 0x21) {
      // The delay of the next frame is in hundredths of a second.
      if (block.getUint8(1) === 0xf9) delay = block.getUint16(4, true) * 10;
      at = await endOfBlocks(at + 2);
    } else break;
  }
  return { width, height, ...frames.sum() };
}

async function readWebp(file: FileWindow): Promise<ImageCost> {
  const frames = new FrameSum();
  let size: { width: number; height: number } | undefined;
  for (let at = 12; at + 18 <= file.length;) {
    const chunk = await file.at(at, Math.min(24, file.length - at));
    const read24 = (offset: number): number =>
      chunk.getUint16(offset, true) + chunk.getUint8(offset + 2) * 65_536;
    const type = textAt(chunk, 0);
    const chunkLength = chunk.getUint32(4, true);
    if (type === 'VP8X') size ??= { width: read24(12) + 1, height: read24(15) + 1 };
    else if (type === 'VP8 ') {
      size ??= {
        width: chunk.getUint16(14, true) & 0x3fff,
        height: chunk.getUint16(16, true) & 0x3fff,
      };
    } else if (type === 'VP8L') {
      const bits = chunk.getUint32(9, true);
      size ??= { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    } else if (type === 'ANMF') frames.add(read24(20));
    at += 8 + chunkLength + (chunkLength % 2);
  }
  if (size === undefined) throw new RangeError('no size');
  // Decoders assemble lossless images in a separate buffer.
  return { ...size, bytesPerPixel: 8, ...frames.sum() };
}

async function readBmp(file: FileWindow): Promise<ImageCost> {
  const isCore = (await file.at(14, 4)).getUint32(0, true) === 12;
  const header = await file.at(18, isCore ? 4 : 8);
  const width = isCore ? header.getUint16(0, true) : header.getInt32(0, true);
  const height = isCore ? header.getUint16(2, true) : header.getInt32(4, true);
  return { width, height: Math.abs(height), ...STILL };
}

/** Adds up the frames of an animation. */
class FrameSum {
  #frames = 0;
  #duration = 0;

  /** Adds a frame with a delay in milliseconds. */
  add(delay: number): void {
    this.#frames += 1;
    this.#duration += frameDelay(delay);
  }

  sum(): Pick<ImageCost, 'frames' | 'duration'> {
    return { frames: Math.max(1, this.#frames), duration: this.#duration };
  }
}
