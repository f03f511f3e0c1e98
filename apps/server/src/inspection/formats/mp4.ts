import { MalformedFileError, type ByteSource } from './byte-source.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { getBox, readBoxContent, readBoxes, readChildBoxes, type Box } from './mp4-boxes.ts';
import { readCodec, type Mp4Codec } from './mp4-codec.ts';
import {
  readFragmentSamples,
  readListedSamples,
  readDefaults,
  SAMPLES_MAX,
  type Sample,
} from './mp4-samples.ts';
import { mp4Pieces } from './mp4-writer.ts';
import { Pieces } from './pieces.ts';
import { assertNotTooLong, boundedDuration } from './duration.ts';

/** MP4 with one track of AAC or Opus, fragmented or not. */
export const mp4: MediaFormat = {
  kind: 'audio',
  mime: 'audio/mp4',
  extension: 'mp4',
  // Recorders use many brands, so only the content determines the format.
  detectedAs: [
    'video/mp4',
    'audio/mp4',
    'audio/x-m4a',
    'video/x-m4v',
    'video/quicktime',
    'video/3gpp',
    'video/3gpp2',
  ],
  read,
};

/**
 * Maximum number of time units per second: more than any recorder uses, and few enough that every
 * time fits into 32 bits.
 */
const TIMESCALE_MAX = 200_000;

/**
 * Extracts the audio packets and writes a new, unfragmented container around them. Everything else
 * is left out: times, locations, devices, names, cover images, gaps, and unknown boxes.
 */
async function read(source: ByteSource): Promise<Contents> {
  const data: Box[] = [];
  const fragments: { box: Box; at: number }[] = [];
  let movie: Box | undefined;
  let at = 0;
  let previous = '';
  for await (const box of readBoxes(source, 0, source.size)) {
    if (box.type === 'mdat') data.push(box);
    if (box.type === 'moof') {
      // WebKitGTK writes the header of its last fragment twice; only the second one is valid.
      if (previous === 'moof') fragments.pop();
      fragments.push({ box, at });
    }
    previous = box.type;
    if (box.type === 'moov') movie ??= box;
    at = box.end;
  }
  if (movie === undefined) throw new MalformedFileError('no audio');
  const { codec, timescale, listed, skip, defaults } = await readMovie(source, movie);

  const packets = new Packets(source, data, codec);
  for await (const sample of listed) await packets.add(sample);
  for (const { box, at: movieAt } of fragments) {
    for await (const sample of readFragmentSamples(source, box, movieAt, defaults)) {
      await packets.add(sample);
    }
  }
  const { sampleRate, channels } = codec;
  const durationMs = boundedDuration({
    durationMs: Math.max(packets.time / timescale, packets.decoded / sampleRate) * 1_000,
    sampleRate,
    channels,
  });
  return { pieces: mp4Pieces({ packets, codec, timescale, skip, durationMs }), durationMs };
}

async function readMovie(source: ByteSource, movie: Box) {
  const tracks: Box[] = [];
  for await (const box of readBoxes(source, movie.content, movie.end)) {
    if (box.type === 'trak') tracks.push(box);
  }
  const [track, ...others] = tracks;
  if (track === undefined || others.length > 0)
    throw new MalformedFileError('not exactly one track');
  const inMovie = await readChildBoxes(source, movie);
  const inTrack = await readChildBoxes(source, track);
  const inMedia = await readChildBoxes(source, getBox(inTrack, 'mdia'));
  const handler = await readBoxContent(source, inMedia.get('hdlr'), 12);
  if (handler.toString('latin1', 8, 12) !== 'soun') throw new MalformedFileError('not only audio');
  const inInformation = await readChildBoxes(source, getBox(inMedia, 'minf'));
  const table = await readChildBoxes(source, getBox(inInformation, 'stbl'));
  const extended = inMovie.get('mvex');
  const inExtended = extended && (await readChildBoxes(source, extended));
  return {
    codec: await readCodec(source, getBox(table, 'stsd')),
    timescale: await readTimescale(source, inMedia.get('mdhd')),
    skip: await readSkip(source, inTrack.get('edts')),
    listed: readListedSamples(source, table),
    defaults: await readDefaults(source, inExtended?.get('trex')),
  };
}

async function readTimescale(source: ByteSource, header: Box | undefined): Promise<number> {
  const bytes = await readBoxContent(source, header, 24);
  const isLong = bytes.readUInt8(0) === 1;
  const timescale = bytes.readUInt32BE(isLong ? 20 : 12);
  if (timescale === 0 || timescale > TIMESCALE_MAX)
    throw new MalformedFileError('an invalid timescale');
  return timescale;
}

/** Reads the duration of the encoder delay, which is not played, in the track's timescale. */
async function readSkip(source: ByteSource, edits: Box | undefined): Promise<number> {
  const list = edits && (await readChildBoxes(source, edits)).get('elst');
  if (list === undefined) return 0;
  const bytes = await readBoxContent(source, list, 8);
  const isLong = bytes.readUInt8(0) === 1;
  const length = isLong ? 20 : 12;
  for (let at = 8; at + length <= bytes.length; at += length) {
    const time = isLong ? Number(bytes.readBigInt64BE(at + 8)) : bytes.readInt32BE(at + 4);
    // An entry with a media time of -1 is a pause.
    if (time >= 0) return time;
  }
  return 0;
}

/** Collects the packets of a track. */
class Packets {
  readonly #source: ByteSource;
  readonly #data: readonly Box[];
  readonly #codec: Mp4Codec;
  #seen = 0;
  #boxIndex = 0;
  /** Decode time of the first packet. */
  #begin: number | undefined;

  readonly pieces = new Pieces();
  readonly sizes: number[] = [];
  /** Duration of each packet in the track's timescale. */
  readonly durations: number[] = [];
  /** End of the last packet in the track's timescale. */
  time = 0;
  /** Samples per channel that all packets decode to. */
  decoded = 0;

  constructor(source: ByteSource, data: readonly Box[], codec: Mp4Codec) {
    this.#source = source;
    this.#data = data;
    this.#codec = codec;
  }

  /**
   * Adds a packet.
   * @throws {MalformedFileError} if it lies outside `mdat` or repeats data, or if there are too many.
   */
  async add({ at, size, duration, time }: Sample): Promise<void> {
    this.#seen += 1;
    if (this.#seen > SAMPLES_MAX) throw new MalformedFileError('too many packets');
    const end = at + size;
    // An interrupted recording lists packets that were never written.
    if (size === 0 || end > this.#source.size) return;
    if (!this.#isData(at, end)) throw new MalformedFileError('a packet outside the data');
    if (this.pieces.length + size > this.#source.size)
      throw new MalformedFileError('repeated data');
    if (time !== undefined) this.#goTo(time);
    this.decoded += await this.#codec.samplesOf(this.#source, at, size);
    assertNotTooLong((this.decoded / this.#codec.sampleRate) * 1_000);
    this.pieces.keep(at, end);
    this.sizes.push(size);
    this.durations.push(duration);
    this.time += duration;
  }

  /** Extends the last packet if a fragment begins later than the previous one ends. */
  #goTo(time: number): void {
    this.#begin ??= time - this.time;
    const gap = time - this.#begin - this.time;
    const last = this.durations.length - 1;
    if (gap <= 0 || last < 0) return;
    this.durations[last] = (this.durations[last] ?? 0) + gap;
    this.time += gap;
  }

  #isData(at: number, end: number): boolean {
    const holds = (box: Box | undefined) =>
      box !== undefined && at >= box.content && end <= box.end;
    if (!holds(this.#data[this.#boxIndex])) this.#boxIndex = this.#data.findIndex(holds);
    return this.#boxIndex !== -1;
  }
}
