import { frameDelay, type AnimationCost, type DecodedImage } from '@parley/contract';

/** What it costs to show an image, as its file states. */
export interface ImageCost extends DecodedImage {
  /** Number of frames, 1 for a still image, and how long they are shown, in milliseconds. */
  readonly frames: AnimationCost['frames'];
  readonly duration: AnimationCost['duration'];
}

/**
 * Reads what it costs to show an image from its bytes, without decoding it, like the server. Returns undefined for an
 * SVG, of which the server makes a picture of limited size, and for any other file.
 */
export function readImageCost(bytes: Uint8Array<ArrayBuffer>): ImageCost | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const file: FileView = { view, length: bytes.byteLength, textAt: (at) => asciiAt(view, at) };
  try {
    if (view.getUint16(0) === 0xffd8) return readJpeg(file);
    if (file.textAt(1).startsWith('PNG')) return readPng(file);
    if (file.textAt(0) === 'GIF8') return readGif(file);
    if (file.textAt(0) === 'RIFF' && file.textAt(8) === 'WEBP') return readWebp(file);
    if (file.textAt(0).startsWith('BM')) return readBmp(file);
  } catch (error) {
    // The file ends before its size is stated.
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

interface FileView {
  readonly view: DataView;
  readonly length: number;
  /** Returns four characters. */
  readonly textAt: (position: number) => string;
}

function asciiAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));
}

const STILL = { frames: 1, duration: 0 };

function readJpeg({ view }: FileView): ImageCost | undefined {
  for (let at = 2; ;) {
    const code = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff) return undefined;
    // Fill bytes, and markers without a segment.
    if (code === 0xff) at += 1;
    else if (code === 0x01 || (code >= 0xd0 && code <= 0xd7)) at += 2;
    else if (code >= 0xc0 && code <= 0xc2) {
      const isProgressive = code === 0xc2;
      return {
        width: view.getUint16(at + 7),
        height: view.getUint16(at + 5),
        // Decoders hold a progressive image as coefficients of two bytes until it is complete.
        bytesPerPixel: 4 + (isProgressive ? 2 * view.getUint8(at + 9) : 0),
        isScalable: true,
        ...STILL,
      };
    } else at += 2 + view.getUint16(at + 2);
  }
}

function readPng({ view, length, textAt }: FileView): ImageCost {
  const frames = new FrameSum();
  const isDeep = view.getUint8(24) === 16;
  const isInterlaced = view.getUint8(28) !== 0;
  let isAnimated = false;
  for (let at = 33; at + 38 <= length; at += 12 + view.getUint32(at)) {
    const type = textAt(at + 4);
    if (type === 'acTL') isAnimated = true;
    // The delay is a fraction of a second; a denominator of 0 stands for 100.
    else if (type === 'fcTL') {
      frames.add((view.getUint16(at + 28) * 1_000) / (view.getUint16(at + 30) || 100));
    }
    // Animations are announced before the image data.
    if (type === 'IDAT' && !isAnimated) break;
  }
  return {
    width: view.getUint32(16),
    height: view.getUint32(20),
    bytesPerPixel: (isDeep ? 8 : 4) + (isInterlaced ? 4 : 0),
    ...(isAnimated ? frames.sum() : STILL),
  };
}

function readGif({ view, length }: FileView): ImageCost {
  const frames = new FrameSum();
  let width = view.getUint16(6, true);
  let height = view.getUint16(8, true);
  let delay = 0;
  const colorsAt = (flagsAt: number): number => {
    const flags = view.getUint8(flagsAt);
    return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
  };
  const endOfBlocks = (start: number): number => {
    let at = start;
    while (at < length && view.getUint8(at) !== 0) at += 1 + view.getUint8(at);
    return at + 1;
  };
  for (let at = 13 + colorsAt(10); at + 10 <= length;) {
    const type = view.getUint8(at);
    if (type === 0x2c) {
      // Some decoders enlarge the canvas to fit all frames.
      width = Math.max(width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true));
      height = Math.max(height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true));
      frames.add(delay);
      delay = 0;
      at = endOfBlocks(at + 11 + colorsAt(at + 9));
    } else if (type === 0x21) {
      // The delay of the next frame is in hundredths of a second.
      if (view.getUint8(at + 1) === 0xf9) delay = view.getUint16(at + 4, true) * 10;
      at = endOfBlocks(at + 2);
    } else break;
  }
  return { width, height, ...frames.sum() };
}

function readWebp({ view, length, textAt }: FileView): ImageCost {
  const frames = new FrameSum();
  const read24 = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
  let size: { width: number; height: number } | undefined;
  for (let at = 12; at + 18 <= length;) {
    const type = textAt(at);
    const chunkLength = view.getUint32(at + 4, true);
    if (type === 'VP8X') size ??= { width: read24(at + 12) + 1, height: read24(at + 15) + 1 };
    else if (type === 'VP8 ') {
      size ??= {
        width: view.getUint16(at + 14, true) & 0x3fff,
        height: view.getUint16(at + 16, true) & 0x3fff,
      };
    } else if (type === 'VP8L') {
      const bits = view.getUint32(at + 9, true);
      size ??= { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    } else if (type === 'ANMF') frames.add(read24(at + 20));
    at += 8 + chunkLength + (chunkLength % 2);
  }
  if (size === undefined) throw new RangeError('no size');
  // Decoders assemble lossless images in a separate buffer.
  return { ...size, bytesPerPixel: 8, ...frames.sum() };
}

function readBmp({ view }: FileView): ImageCost {
  const isCore = view.getUint32(14, true) === 12;
  const width = isCore ? view.getUint16(18, true) : view.getInt32(18, true);
  const height = isCore ? view.getUint16(20, true) : view.getInt32(22, true);
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
