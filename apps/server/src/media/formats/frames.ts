import { MalformedFile, type ByteSource } from './byte-source.ts';
import { Pieces } from './pieces.ts';
import { assertNotTooLong } from './sound.ts';

/** The header of one frame of sound. */
export interface FrameHeader {
  /** In bytes, header included. */
  readonly length: number;
  /** Samples of one channel that it decodes to. */
  readonly samples: number;
  readonly sampleRate: number;
  readonly channels: number;
  /** What all frames of a file have in common. */
  readonly stream: number;
}

/** Reads the frame header at a position of a buffer; undefined if there is none. */
export type ReadFrame = (bytes: Buffer, at: number) => FrameHeader | undefined;

/** Whether a frame, header included, holds something else than sound. */
export type IsIndex = (frame: Buffer, isFirst: boolean) => boolean;

/** The frames of a file that are whole, valid and of one kind. */
export interface SoundFrames {
  readonly pieces: Pieces;
  /** The length of each frame in bytes, in order. */
  readonly lengths: readonly number[];
  readonly first: FrameHeader;
  /** Samples of one channel in all. */
  readonly samples: number;
}

/** Frames that have to follow each other before a byte pattern is believed to be one. */
const CHAIN = 3;

/** Longer than any frame. */
const FRAME_MAX = 8 * 1024;

const WINDOW = 64 * 1024;

/** Two hours of sound are 675,000 frames at most. */
const FRAMES_MAX = 700_000;

/** How the tags begin that players expect behind the last frame. */
const TAGS = ['TAG', 'ID3', 'APETAGEX', 'LYRICSBEGIN', '3DI'];

/**
 * Finds the frames between two positions and leaves out everything else: tags wherever they are, and
 * bytes that belong to no frame. A frame counts only if another one, a tag or the end follows
 * directly, so that a damaged length does not take in what is not sound.
 * @throws {MalformedFile} if there are no frames.
 * @throws {TooLongRecording}
 */
export async function soundFrames(
  source: ByteSource,
  start: number,
  read: ReadFrame,
  isIndex: IsIndex = () => false,
): Promise<SoundFrames> {
  const end = source.size;
  const pieces = new Pieces();
  const lengths: number[] = [];
  let samples = 0;
  let first: FrameHeader | undefined;
  let inSync = false;

  for (let at = start; at < end;) {
    const chunk = await source.upTo(at, WINDOW);
    const isLast = at + chunk.length >= end;
    const readable = isLast ? chunk.length : chunk.length - (CHAIN + 1) * FRAME_MAX;
    const frameAt = (offset: number): FrameHeader | undefined => {
      const frame = read(chunk, offset);
      return first === undefined || frame?.stream === first.stream ? frame : undefined;
    };
    const tags = tagPositions(chunk);
    let offset = 0;
    while (offset < readable) {
      const frame = frameAt(offset);
      const count = inSync ? 1 : CHAIN;
      // Somewhere in the middle, fewer than that may be chance.
      const mayEnd = inSync || at + offset === start;
      const isWhole =
        frame !== undefined &&
        !tags.some((tag) => tag > offset && tag < offset + frame.length) &&
        isFollowed(chunk, offset, frame, frameAt, { count, mayEnd });
      if (!isWhole) {
        inSync = false;
        const next = chunk.indexOf(0xff, offset + 1);
        offset = next === -1 || next > readable ? readable : next;
        continue;
      }
      inSync = true;
      const isFirst = first === undefined;
      first ??= frame;
      if (!isIndex(chunk.subarray(offset, offset + frame.length), isFirst)) {
        if (lengths.length >= FRAMES_MAX) throw new MalformedFile('too many frames');
        pieces.keep(at + offset, at + offset + frame.length);
        lengths.push(frame.length);
        samples += frame.samples;
      }
      offset += frame.length;
    }
    if (first !== undefined) assertNotTooLong((samples / first.sampleRate) * 1_000);
    at += offset;
  }
  if (first === undefined || samples === 0) throw new MalformedFile('no frame');
  return { pieces, lengths, first, samples };
}

/** Whether `count` more frames follow a frame or, if it `mayEnd`, fewer and then the end or a tag. */
function isFollowed(
  chunk: Buffer,
  offset: number,
  frame: FrameHeader,
  frameAt: (offset: number) => FrameHeader | undefined,
  { count, mayEnd }: { count: number; mayEnd: boolean },
): boolean {
  let next = offset + frame.length;
  for (let left = count; left > 0; left -= 1) {
    if (next === chunk.length) return mayEnd;
    if (next > chunk.length) return false;
    const following = frameAt(next);
    if (following === undefined || following.stream !== frame.stream)
      return mayEnd && isTag(chunk, next);
    next += following.length;
  }
  return true;
}

/** Where something begins that looks like a tag: a frame that it is in has a damaged length. */
function tagPositions(chunk: Buffer): number[] {
  return TAGS.flatMap((tag) => {
    const found: number[] = [];
    for (let at = chunk.indexOf(tag); at !== -1; at = chunk.indexOf(tag, at + 1)) found.push(at);
    return found;
  });
}

function isTag(chunk: Buffer, at: number): boolean {
  return TAGS.some((tag) => chunk.toString('latin1', at, at + tag.length) === tag);
}
