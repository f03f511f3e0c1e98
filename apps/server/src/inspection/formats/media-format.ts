import type { ByteSource } from './byte-source.ts';
import type { Pieces } from './pieces.ts';

/** The type of a file as stored, determined by its bytes. */
export interface MediaType {
  readonly kind: 'image' | 'audio';
  /** IANA media type. */
  readonly mime: string;
  /** File name extension without the dot. */
  readonly extension: string;
}

/** The contents of a file that a {@link MediaFormat} has read. */
export interface Contents {
  /** Pixels as displayed, with the orientation applied; undefined if the file does not specify them. */
  readonly width?: number;
  readonly height?: number;
  /** Number of frames of an animation; undefined, 0 or 1 for a still image. */
  readonly frames?: number;
  /** Duration of a recording in whole milliseconds. */
  readonly durationMs?: number;
  /** The file without metadata, as others may receive it. */
  readonly pieces: Pieces;
}

/** An accepted format. */
export interface MediaFormat extends MediaType {
  /**
   * The media types that `file-type` reports for such files; `UNRECOGNIZED` or `TAGGED` if it does
   * not detect them.
   */
  readonly detectedAs: readonly string[];
  /**
   * Reads the whole file.
   * @throws {MalformedFileError} if it does not have this format.
   * @throws {TooComplexMediaError} if it would be too expensive to display.
   */
  read(source: ByteSource): Promise<Contents>;
}
