import type { MediaType } from './formats/media-format.ts';
import { createByteSource, TooComplexMediaError } from './formats/byte-source.ts';
import { TooLongRecording } from './formats/duration.ts';
import { isRendererSpent } from './formats/svg/render-svg.ts';
import { RendererNeededError } from './formats/svg/svg.ts';
import { inspectMedia, inspectStored } from './inspect.ts';
import { writePieces } from './write-pieces.ts';

/** A file to inspect, as a worker receives it. */
export interface InspectionTask {
  /** The open file. Its descriptor is valid in all threads of the process. */
  readonly fd: number;
  /** Whether the file is a new upload, or was stored by this or an earlier version. */
  readonly rules: 'upload' | 'stored';
  /** Path of a new file for the content that others may receive. Undefined only to read the file. */
  readonly target?: string | undefined;
  /** Whether not to write it if it is the whole file. */
  readonly skipsUnchanged?: boolean;
}

/** What a file contains. */
export interface InspectedFile {
  readonly type: Pick<MediaType, 'kind' | 'mime' | 'extension'>;
  /** Pixels as displayed; undefined for a recording. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Whole milliseconds; undefined for an image. */
  readonly durationMs: number | undefined;
  /** Size in bytes of the content that others may receive. */
  readonly size: number;
  /** Whether that is the whole file. */
  readonly isUnchanged: boolean;
}

/** The outcome of an inspection, as a worker sends it. */
export type InspectionOutcome =
  /** Undefined if the format is not accepted. The thread may have no memory left for further files. */
  | { readonly found: InspectedFile | undefined; readonly isThreadSpent?: boolean }
  /** It is an SVG, which only a thread with the renderer can inspect. */
  | { readonly needsRenderer: true }
  | { readonly refusal: 'too-complex' | 'too-long'; readonly message: string }
  /** The file could not be read or written. */
  | { readonly failure: { readonly message: string; readonly code: string | undefined } };

/** Inspects a file and writes what others may receive of it. Never rejects. */
export async function inspectFile(task: InspectionTask): Promise<InspectionOutcome> {
  const { fd, rules, target, skipsUnchanged = false } = task;
  try {
    const source = createByteSource(fd);
    const contents = await (rules === 'upload' ? inspectMedia(source) : inspectStored(source));
    if (contents === undefined) return { found: undefined };
    const { type, pieces, width, height, durationMs } = contents;
    const isUnchanged = pieces.isWhole(source.size);
    if (target !== undefined && !(isUnchanged && skipsUnchanged)) writePieces(fd, pieces, target);
    const { kind, mime, extension } = type;
    const found = { width, height, durationMs, size: pieces.length, isUnchanged };
    const isThreadSpent = isRendererSpent();
    return { found: { type: { kind, mime, extension }, ...found }, isThreadSpent };
  } catch (error) {
    if (error instanceof RendererNeededError) return { needsRenderer: true };
    if (error instanceof TooComplexMediaError) return refuse('too-complex', error);
    if (error instanceof TooLongRecording) return refuse('too-long', error);
    if (!(error instanceof Error)) return { failure: { message: String(error), code: undefined } };
    const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
    return { failure: { message: error.message, code } };
  }
}

function refuse(refusal: 'too-complex' | 'too-long', { message }: Error): InspectionOutcome {
  return { refusal, message };
}
