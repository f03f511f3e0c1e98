import { MalformedFileError } from './byte-source.ts';
import { writeElement, writeFloat, writeHeader, writeUnsigned } from './ebml.ts';
import { OPUS_RATE, writeOpusHead, type OpusConfig } from './opus.ts';
import { Pieces } from './pieces.ts';
import { ID } from './webm-ids.ts';

/** The properties of the only track that a player needs. Times are in nanoseconds. */
export interface WebmTrack {
  readonly number: number;
  readonly codecDelay: number | undefined;
  readonly seekPreRoll: number | undefined;
  readonly opus: OpusConfig;
}

/** A packet of audio in the original file. */
interface BlockToWrite {
  /** Position of its element if the element can be copied unchanged. */
  readonly at: number | undefined;
  readonly packet: number;
  readonly end: number;
  /** Relative to the cluster, in the file's timescale. */
  readonly timestamp: number;
}

interface Cluster {
  readonly timestamp: number;
  readonly blocks: Pieces;
}

const KEY_FRAME = 0x80;

/** Collects the clusters of a recording for writing. */
export class WebmClusters {
  readonly #list: Cluster[] = [];
  #current: Pieces | undefined;
  /** Timestamp of the current cluster, in the file's timescale. */
  timestamp = 0;

  /** Begins the next cluster. */
  begin(): void {
    this.#current = undefined;
    this.timestamp = 0;
  }

  /** Adds a packet of the track and returns its time in the file's timescale. */
  add({ at, packet, end, timestamp }: BlockToWrite, track: number): number {
    if (this.#current === undefined) {
      this.#current = new Pieces();
      this.#list.push({ timestamp: this.timestamp, blocks: this.#current });
    }
    if (at === undefined) {
      const header = Buffer.from([0x80 | track, 0, 0, KEY_FRAME]);
      header.writeInt16BE(timestamp, 1);
      const element = writeHeader(ID.simpleBlock, header.length + end - packet);
      this.#current.insert(Buffer.concat([element, header]));
      this.#current.keep(packet, end);
    } else {
      this.#current.keep(at, end);
    }
    return this.timestamp + timestamp;
  }

  [Symbol.iterator](): Iterator<Cluster> {
    return this.#list[Symbol.iterator]();
  }
}

const NEUTRAL_NAME = Buffer.from('Parley');

interface Recording {
  /** Nanoseconds per unit of the file's timescale. */
  readonly scale: number;
  readonly track: WebmTrack;
  readonly clusters: WebmClusters;
  readonly durationMs: number;
}

/** Builds a WebM file with its duration and an index at the beginning. */
export function webmPieces({ scale, track, clusters, durationMs }: Recording): Pieces {
  const info = writeElement(
    ID.info,
    writeUnsigned(ID.timestampScale, scale),
    writeFloat(ID.duration, (durationMs * 1e6) / scale),
    writeElement(ID.muxingApp, NEUTRAL_NAME),
    writeElement(ID.writingApp, NEUTRAL_NAME),
  );
  const head = Buffer.concat([info, writeElement(ID.tracks, trackEntry(track))]);

  const written = Array.from(clusters, ({ timestamp, blocks }) => {
    const time = writeUnsigned(ID.timestamp, timestamp);
    const header = Buffer.concat([writeHeader(ID.cluster, time.length + blocks.length), time]);
    return { timestamp, header, blocks };
  });
  if (written.length === 0) throw new MalformedFileError('no audio');
  const cueLength = cuePoint(track.number, 0, 0).length;
  let position = head.length + writeHeader(ID.cues, 0).length + written.length * cueLength;
  const cues = written.map(({ timestamp, header, blocks }) => {
    const cue = cuePoint(track.number, timestamp, position);
    position += header.length + blocks.length;
    return cue;
  });

  const pieces = new Pieces();
  pieces.insert(
    Buffer.concat([
      ebmlHeader(),
      writeHeader(ID.segment, position),
      head,
      writeElement(ID.cues, ...cues),
    ]),
  );
  for (const { header, blocks } of written) {
    pieces.insert(header);
    pieces.append(blocks);
  }
  return pieces;
}

function ebmlHeader(): Buffer {
  return writeElement(
    ID.ebml,
    writeUnsigned(ID.ebmlVersion, 1),
    writeUnsigned(ID.ebmlReadVersion, 1),
    writeUnsigned(ID.ebmlIdMax, 4),
    writeUnsigned(ID.ebmlSizeMax, 8),
    writeElement(ID.docType, Buffer.from('webm')),
    writeUnsigned(ID.docTypeVersion, 4),
    writeUnsigned(ID.docTypeReadVersion, 2),
  );
}

function trackEntry({ number, codecDelay, seekPreRoll, opus }: WebmTrack): Buffer {
  const optional = (id: number, value: number | undefined) =>
    value === undefined ? Buffer.alloc(0) : writeUnsigned(id, value);
  return writeElement(
    ID.trackEntry,
    writeUnsigned(ID.trackNumber, number),
    writeUnsigned(ID.trackUid, number),
    writeUnsigned(ID.trackType, 2),
    writeElement(ID.codecId, Buffer.from('A_OPUS')),
    writeElement(ID.codecPrivate, writeOpusHead(opus)),
    optional(ID.codecDelay, codecDelay),
    optional(ID.seekPreRoll, seekPreRoll),
    writeElement(
      ID.audio,
      writeFloat(ID.samplingFrequency, OPUS_RATE),
      writeUnsigned(ID.channels, opus.channels),
    ),
  );
}

function cuePoint(track: number, timestamp: number, position: number): Buffer {
  return writeElement(
    ID.cuePoint,
    writeUnsigned(ID.cueTime, timestamp),
    writeElement(
      ID.cueTrackPositions,
      writeUnsigned(ID.cueTrack, track),
      writeUnsigned(ID.cueClusterPosition, position),
    ),
  );
}
