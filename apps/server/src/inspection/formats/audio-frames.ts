import { MalformedFileError, type ByteSource } from './byte-source.ts';
import { Pieces } from './pieces.ts';
import { assertNotTooLong } from './duration.ts';

/** The header of an audio frame. */
export interface FrameHeader {
  /** In bytes, including the header. */
  readonly length: number;
  /** Samples per channel that it decodes to. */
  readonly samples: number;
  readonly sampleRate: number;
  readonly channels: number;
  /** Bits that all frames of a file have in common. */
  readonly streamBits: number;
}

/** Reads the frame header at a position in a buffer, or returns undefined if there is none. */
export type ReadFrame = (bytes: Buffer, at: number) => FrameHeader | undefined;

/** Returns whether a frame, including its header, holds an index instead of audio. */
export type IsIndex = (frame: Buffer, isFirst: boolean) => boolean;

/** The complete, valid frames of a file, all of one kind. */
export interface AudioFrames {
  readonly pieces: Pieces;
  /** The length of each frame in bytes, in order. */
  readonly lengths: readonly number[];
  readonly first: FrameHeader;
  /** Samples per channel in total. */
  readonly samples: number;
}

/** Number of consecutive frames it takes to accept a byte pattern as a frame. */
const CHAIN = 3;

/** Upper bound of the size of a frame in bytes. */
const FRAME_MAX = 8 * 1024;

const WINDOW = 64 * 1024;

/** Maximum number of frames. Two hours of audio have at most 675,000. */
const FRAMES_MAX = 700_000;

/** Signatures of the tags that may follow the last frame. */
const TAGS = ['TAG', 'ID3', 'APETAGEX', 'LYRICSBEGIN', '3DI'];

/**
 * Finds the frames after `start` and leaves out everything else: tags, and bytes outside frames. A
 * frame counts only if a frame, a tag or the end follows directly, so that a corrupt length cannot
 * include other data.
 * @throws {MalformedFileError} if there are no frames.
 * @throws {TooLongRecording}
 */
export async function readAudioFrames(
  source: ByteSource,
  start: number,
  read: ReadFrame,
  isIndex: IsIndex = () => false,
): Promise<AudioFrames> {
  const end = source.size;
  const pieces = new Pieces();
  const lengths: number[] = [];
  let samples = 0;
  let first: FrameHeader | undefined;
  let inSync = false;

  for (let at = start; at < end;) {
    const chunk = await source.bytesUpTo(at, WINDOW);
    const isLast = at + chunk.length >= end;
    const readable = isLast ? chunk.length : chunk.length - (CHAIN + 1) * FRAME_MAX;
    const frameAt = (offset: number): FrameHeader | undefined => {
      const frame = read(chunk, offset);
      return first === undefined || frame?.streamBits === first.streamBits ? frame : undefined;
    };
    const tags = tagPositions(chunk);
    let offset = 0;
    while (offset < readable) {
      const frame = frameAt(offset);
      const count = inSync ? 1 : CHAIN;
      // In the middle of a file, a shorter chain may be a coincidence.
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
        if (lengths.length >= FRAMES_MAX) throw new MalformedFileError('too many frames');
        pieces.keep(at + offset, at + offset + frame.length);
        lengths.push(frame.length);
        samples += frame.samples;
      }
      offset += frame.length;
    }
    if (first !== undefined) assertNotTooLong((samples / first.sampleRate) * 1_000);
    at += offset;
  }
  if (first === undefined || samples === 0) throw new MalformedFileError('no frame');
  return { pieces, lengths, first, samples };
}

/**
 * Returns whether `count` frames follow a frame or, if `mayEnd`, fewer frames and then the end or a tag.
 */
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
    if (following === undefined || following.streamBits !== frame.streamBits)
      return mayEnd && isTag(chunk, next);
    next += following.length;
  }
  return true;
}

/** Returns where tags seem to begin: a frame that contains such a position has a corrupt length. */
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
