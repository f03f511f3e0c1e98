import { MalformedFile, type ByteSource } from './byte-source.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { boxContent, boxes, childBoxes, type Box } from './mp4-boxes.ts';
import { readCodec, type Mp4Codec } from './mp4-codec.ts';
import {
  fragmentSamples,
  listedSamples,
  readDefaults,
  SAMPLES_MAX,
  type Sample,
} from './mp4-samples.ts';
import { mp4Pieces } from './mp4-writer.ts';
import { Pieces } from './pieces.ts';
import { assertNotTooLong, boundedDuration } from './sound.ts';

/** MP4 with one track of AAC or Opus, in one piece or in fragments. */
export const mp4: MediaFormat = {
  kind: 'audio',
  mime: 'audio/mp4',
  ending: 'mp4',
  // Recorders name many brands; what is inside decides.
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

/** Ticks a second: more than any recorder counts in, so that every time fits into 32 bits. */
const TIMESCALE_MAX = 200_000;

/**
 * Takes the packets of sound out and writes everything around them anew, in one piece. Whatever else
 * there is goes: times, places, devices, names, pictures, gaps, and what no reader knows.
 */
async function read(source: ByteSource): Promise<Contents> {
  const data: Box[] = [];
  const fragments: { box: Box; at: number }[] = [];
  let movie: Box | undefined;
  let at = 0;
  let previous = '';
  for await (const box of boxes(source, 0, source.size)) {
    if (box.type === 'mdat') data.push(box);
    if (box.type === 'moof') {
      // WebKitGTK writes the header of its last fragment twice. Only the one before the data counts.
      if (previous === 'moof') fragments.pop();
      fragments.push({ box, at });
    }
    previous = box.type;
    if (box.type === 'moov') movie ??= box;
    at = box.end;
  }
  if (movie === undefined) throw new MalformedFile('no sound');
  const { codec, timescale, listed, skip, defaults } = await readMovie(source, movie);

  const packets = new Packets(source, data, codec);
  for await (const sample of listed) await packets.add(sample);
  for (const { box, at: movieAt } of fragments) {
    for await (const sample of fragmentSamples(source, box, movieAt, defaults)) {
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
  for await (const box of boxes(source, movie.content, movie.end)) {
    if (box.type === 'trak') tracks.push(box);
  }
  const [track, ...others] = tracks;
  if (track === undefined || others.length > 0) throw new MalformedFile('not one track');
  const inMovie = await childBoxes(source, movie);
  const inTrack = await childBoxes(source, track);
  const inMedia = await childBoxes(source, part(inTrack, 'mdia'));
  const handler = await boxContent(source, inMedia.get('hdlr'), 12);
  if (handler.toString('latin1', 8, 12) !== 'soun') throw new MalformedFile('not only sound');
  const inInformation = await childBoxes(source, part(inMedia, 'minf'));
  const table = await childBoxes(source, part(inInformation, 'stbl'));
  const extended = inMovie.get('mvex');
  const inExtended = extended && (await childBoxes(source, extended));
  return {
    codec: await readCodec(source, part(table, 'stsd')),
    timescale: await readTimescale(source, inMedia.get('mdhd')),
    skip: await readSkip(source, inTrack.get('edts')),
    listed: listedSamples(source, table),
    defaults: await readDefaults(source, inExtended?.get('trex')),
  };
}

async function readTimescale(source: ByteSource, header: Box | undefined): Promise<number> {
  const bytes = await boxContent(source, header, 24);
  const isLong = bytes.readUInt8(0) === 1;
  const timescale = bytes.readUInt32BE(isLong ? 20 : 12);
  if (timescale === 0 || timescale > TIMESCALE_MAX) throw new MalformedFile('no clock');
  return timescale;
}

/** How much of the beginning is not played, in the track's own unit: what an encoder needs to start. */
async function readSkip(source: ByteSource, edits: Box | undefined): Promise<number> {
  const list = edits && (await childBoxes(source, edits)).get('elst');
  if (list === undefined) return 0;
  const bytes = await boxContent(source, list, 8);
  const isLong = bytes.readUInt8(0) === 1;
  const length = isLong ? 20 : 12;
  for (let at = 8; at + length <= bytes.length; at += length) {
    const time = isLong ? Number(bytes.readBigInt64BE(at + 8)) : bytes.readInt32BE(at + 4);
    // An entry without one is a pause.
    if (time >= 0) return time;
  }
  return 0;
}

function part(boxes: ReadonlyMap<string, Box>, type: string): Box {
  const box = boxes.get(type);
  if (box === undefined) throw new MalformedFile(`no ${type}`);
  return box;
}

/** The packets of a track, as they are found. */
class Packets {
  readonly #source: ByteSource;
  readonly #data: readonly Box[];
  readonly #codec: Mp4Codec;
  #seen = 0;
  #within = 0;
  /** When the first one is played. */
  #begin: number | undefined;

  readonly pieces = new Pieces();
  readonly sizes: number[] = [];
  /** Of each packet, in the track's own unit. */
  readonly durations: number[] = [];
  /** Up to the end of the last one, in the track's own unit. */
  time = 0;
  /** Samples of one channel that all packets decode to. */
  decoded = 0;

  constructor(source: ByteSource, data: readonly Box[], codec: Mp4Codec) {
    this.#source = source;
    this.#data = data;
    this.#codec = codec;
  }

  /** @throws {MalformedFile} for one that is not in the file's data, or repeats a part of them. */
  async add({ at, size, duration, time }: Sample): Promise<void> {
    this.#seen += 1;
    if (this.#seen > SAMPLES_MAX) throw new MalformedFile('too many packets');
    const end = at + size;
    // Of a recording that broke off.
    if (size === 0 || end > this.#source.size) return;
    if (!this.#isData(at, end)) throw new MalformedFile('a packet beside the data');
    if (this.pieces.length + size > this.#source.size) throw new MalformedFile('repeated data');
    if (time !== undefined) this.#goTo(time);
    this.decoded += await this.#codec.samplesOf(this.#source, at, size);
    assertNotTooLong((this.decoded / this.#codec.sampleRate) * 1_000);
    this.pieces.keep(at, end);
    this.sizes.push(size);
    this.durations.push(duration);
    this.time += duration;
  }

  /** Where a fragment begins later than the one before ends, the last packet lasts until then. */
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
    if (!holds(this.#data[this.#within])) this.#within = this.#data.findIndex(holds);
    return this.#within !== -1;
  }
}
