import { MalformedFileError, type ByteSource } from './byte-source.ts';
import {
  readChildren,
  readElementContent,
  readElement,
  readElementText,
  readElementNumber,
  type EbmlElement,
} from './ebml.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { OPUS_RATE, opusSamples, readOpusHead } from './opus.ts';
import { assertNotTooLong, boundedDuration } from './duration.ts';
import { ID } from './webm-ids.ts';
import { WebmClusters, webmPieces, type WebmTrack } from './webm-writer.ts';

const SOUND = 2;

/** In nanoseconds. */
const SCALE_DEFAULT = 1_000_000;
const SCALE_MIN = 1_000;
const SCALE_MAX = 1_000_000_000;
const DELAY_MAX = 1_000_000_000;

/** WebM with one track of Opus, as browsers record it. */
export const webm: MediaFormat = {
  kind: 'audio',
  mime: 'audio/webm',
  extension: 'webm',
  detectedAs: ['video/webm'],
  read,
};

/**
 * Extracts the audio packets and writes a new container around them. Everything else is left out:
 * titles, dates, programs, tags, attachments, gaps, and unknown elements.
 */
async function read(source: ByteSource): Promise<Contents> {
  const header = await readElement(source, 0, source.size);
  if (header.end === undefined || (await docType(source, header.content, header.end)) !== 'webm') {
    throw new MalformedFileError('not WebM');
  }
  const segment = await readElement(source, header.end, source.size);
  if (segment.id !== ID.segment) throw new MalformedFileError('no segment');
  const limit = Math.min(segment.end ?? source.size, source.size);

  let scale = SCALE_DEFAULT;
  let track: WebmTrack | undefined;
  const clusters = new WebmClusters();
  let samples = 0;
  let end = 0;
  for (let at = segment.content; at < limit;) {
    const found = await readElement(source, at, limit);
    // Clusters of live recordings have no length, so their content is read as if it followed them.
    if (found.id === ID.cluster) {
      clusters.begin();
      at = found.content;
      continue;
    }
    if (found.end === undefined) throw new MalformedFileError('an element without a length');
    // An interrupted recording still has the audio that was written before.
    if (found.end > limit) break;
    if (found.id === ID.info) scale = await readScale(source, found);
    if (found.id === ID.tracks) track = await readTrack(source, found);
    if (found.id === ID.timestamp) clusters.timestamp = await readElementNumber(source, found);
    if (found.id === ID.simpleBlock || found.id === ID.blockGroup) {
      if (track === undefined) throw new MalformedFileError('audio before its track');
      const block = await readBlock(source, found, track.number);
      if (block !== undefined) {
        const time = clusters.add(block, track.number);
        samples += block.samples;
        end = Math.max(end, (time * scale) / 1e6 + (block.samples / OPUS_RATE) * 1_000);
        assertNotTooLong((samples / OPUS_RATE) * 1_000);
      }
    }
    at = found.end;
  }
  if (track === undefined) throw new MalformedFileError('no track');
  const durationMs = boundedDuration({
    durationMs: Math.max(end, (samples / OPUS_RATE) * 1_000),
    sampleRate: OPUS_RATE,
    channels: track.opus.channels,
  });
  return { pieces: webmPieces({ scale, track, clusters, durationMs }), durationMs };
}

async function docType(source: ByteSource, start: number, end: number): Promise<string> {
  for await (const child of readChildren(source, start, Math.min(end, source.size))) {
    if (child.id === ID.docType) return readElementText(source, child);
  }
  return '';
}

async function readScale(source: ByteSource, info: EbmlElement): Promise<number> {
  let scale = SCALE_DEFAULT;
  for await (const child of readChildren(source, info.content, info.end ?? info.content)) {
    if (child.id === ID.timestampScale) scale = await readElementNumber(source, child);
  }
  if (scale < SCALE_MIN || scale > SCALE_MAX)
    throw new MalformedFileError('timestamps out of range');
  return scale;
}

async function readTrack(source: ByteSource, tracks: EbmlElement): Promise<WebmTrack> {
  const entries: WebmTrack[] = [];
  for await (const entry of readChildren(source, tracks.content, tracks.end ?? tracks.content)) {
    if (entry.id === ID.trackEntry) entries.push(await readEntry(source, entry));
  }
  const [track, ...others] = entries;
  if (track === undefined || others.length > 0)
    throw new MalformedFileError('not exactly one track');
  return track;
}

async function readEntry(source: ByteSource, entry: EbmlElement): Promise<WebmTrack> {
  const numbers = new Map<number, number>();
  let codec = '';
  let head: Buffer | undefined;
  for await (const child of readChildren(source, entry.content, entry.end ?? entry.content)) {
    if (child.id === ID.contentEncodings) throw new MalformedFileError('compressed or encrypted');
    if (child.id === ID.codecId) codec = await readElementText(source, child);
    if (child.id === ID.codecPrivate) head = Buffer.from(await readElementContent(source, child));
    const isNumber =
      child.id === ID.trackNumber ||
      child.id === ID.trackType ||
      child.id === ID.codecDelay ||
      child.id === ID.seekPreRoll;
    if (isNumber) numbers.set(child.id, await readElementNumber(source, child));
  }
  if (numbers.get(ID.trackType) !== SOUND) throw new MalformedFileError('not only audio');
  if (codec !== 'A_OPUS' || head === undefined) throw new MalformedFileError('not Opus');
  const number = numbers.get(ID.trackNumber) ?? 0;
  if (number < 1 || number > 126) throw new MalformedFileError('no track number');
  const codecDelay = numbers.get(ID.codecDelay);
  const seekPreRoll = numbers.get(ID.seekPreRoll);
  if (Math.max(codecDelay ?? 0, seekPreRoll ?? 0) > DELAY_MAX)
    throw new MalformedFileError('delay out of range');
  return { number, codecDelay, seekPreRoll, opus: readOpusHead(head) };
}

/** A packet of audio. */
interface Block {
  /** Position of the element if it can be copied unchanged. */
  readonly at: number | undefined;
  /** Where the packet begins. */
  readonly packet: number;
  readonly end: number;
  /** Relative to the cluster, in the file's timescale. */
  readonly timestamp: number;
  readonly samples: number;
}

/** Bytes of a block before its packet: track, timestamp, flags. */
const BLOCK_HEADER = 4;
const KEY_FRAME = 0x80;
const LACING = 0x06;

async function readBlock(
  source: ByteSource,
  found: EbmlElement,
  track: number,
): Promise<Block | undefined> {
  const block = found.id === ID.simpleBlock ? found : await findBlock(source, found);
  const { content: at, end = at } = block;
  // Recorders write an empty block at the end.
  if (end - at <= BLOCK_HEADER) return undefined;
  const head = await source.bytes(at, Math.min(BLOCK_HEADER + 2, end - at));
  const flags = head.readUInt8(3);
  if (head.readUInt8(0) !== (0x80 | track) || (flags & LACING) !== 0) {
    throw new MalformedFileError('another track, or several packets in a block');
  }
  return {
    at: block.id === ID.simpleBlock && (flags & ~KEY_FRAME) === 0 ? found.at : undefined,
    packet: at + BLOCK_HEADER,
    end,
    timestamp: head.readInt16BE(1),
    samples: opusSamples(head.subarray(BLOCK_HEADER)),
  };
}

async function findBlock(source: ByteSource, group: EbmlElement): Promise<EbmlElement> {
  for await (const child of readChildren(source, group.content, group.end ?? group.content)) {
    if (child.id === ID.block) return child;
  }
  throw new MalformedFileError('a group without a block');
}
