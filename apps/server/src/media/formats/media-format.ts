import type { ByteSource } from './byte-source.ts';
import type { Pieces } from './pieces.ts';

/** What a file is, told from its bytes. */
export interface MediaType {
  readonly kind: 'image' | 'audio';
  /** IANA media type. */
  readonly mime: string;
  /** Of the file's name, without the dot. */
  readonly ending: string;
}

/** What was found in a file. */
export interface Contents {
  /** Pixels as they are shown, orientation applied; undefined where the file does not say. */
  readonly width?: number;
  readonly height?: number;
  /** Of an animation; undefined, 0 or 1 for a still picture. */
  readonly frames?: number;
  /** Of a recording, in whole milliseconds. */
  readonly durationMs?: number;
  /** The file as others may see it: without where, when and with what it was made. */
  readonly pieces: Pieces;
}

/** A format that is accepted. */
export interface MediaFormat extends MediaType {
  /** What `file-type` reports for such files, as media types; `UNRECOGNIZED` or `TAGGED` where it reports nothing sure. */
  readonly detectedAs: readonly string[];
  /**
   * Walks through the whole file.
   * @throws {MalformedFile} if it is not what it claims to be.
   * @throws {TooComplexMedia} if it would cost too much to show.
   */
  read(source: ByteSource): Promise<Contents>;
}
