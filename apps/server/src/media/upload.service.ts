import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { hasAccount } from '../storage/has-account.ts';
import { idFloor, newId } from '../storage/ids.ts';
import type { Writer } from '../storage/storage.ts';
import { AppError } from '../errors/app-error.ts';
import { assertMediaQuota } from '../quotas/quota.service.ts';
import type { JobOwner } from '../scheduling/fair-queue.ts';
import { TooComplexMediaError } from '../inspection/formats/byte-source.ts';
import { TooLongRecording } from '../inspection/formats/duration.ts';
import { IMAGE_RULES } from '../inspection/inspect.ts';
import type { InspectedFile } from '../inspection/file-inspection.ts';
import { countUnusedUploads, insertUpload, type NewUpload } from './media.repository.ts';
import { incomingFolder, removeFile } from '../media-store/media-folders.ts';
import { UNUSED_MAX_AGE } from './sweep.ts';

/** Maximum number of a user's recent uploads that were never sent. */
const UNUSED_MAX = 100;

/** Seconds after which a user with too many unsent uploads may try again. */
const RETRY_AFTER = 60;

/** An incoming file. At its end, `truncated` is true if it exceeded the size limit. */
export type IncomingFile = Readable & { readonly truncated: boolean };

/** The user who uploads, with the network of the request. */
export interface Uploader {
  readonly userId: string;
  readonly network: string;
}

/** An upload whose file is still being received. */
export interface IncomingUpload {
  readonly kind: 'image' | 'audio';
  readonly file: IncomingFile;
  /** Heights of the waveform's bars, 0 to 100; undefined if the client sent none. */
  readonly peaks: readonly number[] | undefined;
}

/**
 * Asserts that a user neither has too many unsent uploads nor has used up the available storage, as
 * far as an upload of at least `size` bytes is concerned.
 * @throws {AppError} `rate_limited`, `quota_media`, `storage_full`
 */
export async function assertMayUpload(ctx: Context, userId: string, size = 1): Promise<void> {
  const sinceId = idFloor(Date.now() - UNUSED_MAX_AGE);
  const unused = await ctx.storage.read((db) => countUnusedUploads(db, userId, sinceId));
  if (unused >= UNUSED_MAX) throw new AppError('rate_limited', { retryAfter: RETRY_AFTER });
  await ctx.disk.assertSpaceForUpload();
  await ctx.storage.read((db) => assertMediaQuota(ctx.config, db, userId, size));
}

/**
 * Stores an upload without its metadata and returns the name of its file. If it fails, it leaves no file behind,
 * except for the sweep if a failure of the database hides whether the row was committed.
 * @throws {AppError} `too_large`, `recording_too_long`, `unsupported_media`, `media_too_complex`,
 * `quota_media`, `storage_full`, `unauthenticated` if the account was deleted during the upload,
 * `invalid_request` if the upload is incomplete, or the error that `incoming` was destroyed with
 */
export async function storeUpload(
  ctx: Context,
  { userId, network }: Uploader,
  { kind, file: incoming, peaks }: IncomingUpload,
): Promise<string> {
  const id = newId();
  const raw = join(incomingFolder(ctx.config), id);
  const clean = `${raw}.clean`;
  try {
    await receive(incoming, raw);
    const found = await cleanFile(ctx, [network, userId], raw, clean, kind);
    const file = `${id}.${found.type.extension}`;
    const row = {
      id,
      owner_id: userId,
      kind,
      mime: found.type.mime,
      size: found.size,
      file,
      width: found.width ?? null,
      height: found.height ?? null,
      inspected_rules: kind === 'image' ? IMAGE_RULES : 0,
      duration_ms: found.durationMs ?? null,
      peaks: peaks === undefined ? null : Buffer.from(peaks),
      created_at: Date.now(),
    };
    await saveUpload(ctx, row, () => ctx.media.add(file, clean));
    return file;
  } finally {
    // Consume the bytes that were not read because a file could not be opened.
    incoming.resume();
    await removeFile(raw, ctx.log);
    await removeFile(clean, ctx.log);
  }
}

/**
 * Writes an incoming file to disk. Reads it to the end even after a failure, because few clients
 * read a response before they have sent everything.
 */
async function receive(incoming: IncomingFile, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    let failure: unknown;
    for await (const chunk of readChunks(incoming)) {
      if (failure !== undefined || incoming.truncated) continue;
      await file.writeFile(chunk).catch((error: unknown) => {
        failure = error;
      });
    }
    if (failure !== undefined) throw failure;
  } finally {
    await file.close();
  }
  if (incoming.truncated) throw new AppError('too_large');
}

/**
 * Yields the chunks of an incoming file.
 * @throws {AppError} `invalid_request` if the form is incomplete or malformed, or the error that ended
 * the stream.
 */
async function* readChunks(incoming: IncomingFile): AsyncGenerator<Buffer> {
  try {
    yield* incoming as AsyncIterable<Buffer>;
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('invalid_request', { cause });
  }
}

/** Inspects the raw file and writes the cleaned one. */
async function cleanFile(
  { inspector }: Context,
  owner: JobOwner,
  raw: string,
  clean: string,
  kind: 'image' | 'audio',
): Promise<InspectedFile> {
  const handle = await open(raw, 'r');
  try {
    const task = { fd: handle.fd, rules: 'upload', target: clean } as const;
    const found = await inspector.inspect(owner, task).catch(toAppError);
    if (found?.type.kind !== kind) throw new AppError('unsupported_media');
    return found;
  } finally {
    await handle.close();
  }
}

function toAppError(error: unknown): never {
  if (error instanceof TooLongRecording) throw new AppError('recording_too_long', { cause: error });
  if (error instanceof TooComplexMediaError)
    throw new AppError('media_too_complex', { cause: error });
  throw error;
}

/**
 * Puts a file into the store with `putFile`, then inserts its row: the sweep removes files without a
 * row, but every row needs its file. `assertAllowed` runs in the write that inserts it.
 * @throws {AppError} `unauthenticated`, `quota_media`, `storage_full`
 */
export async function saveUpload(
  ctx: Context,
  row: NewUpload,
  putFile: () => Promise<void>,
  assertAllowed: (trx: Writer) => Promise<void> = async () => undefined,
): Promise<void> {
  let isCommitPossible = false;
  try {
    await putFile();
    isCommitPossible = true;
    await ctx.storage.write(async ({ trx }) => {
      // The account may have been deleted during the upload.
      if (!(await hasAccount(trx, row.owner_id))) throw new AppError('unauthenticated');
      await assertMediaQuota(ctx.config, trx, row.owner_id, row.size);
      await assertAllowed(trx);
      await insertUpload(trx, row);
    });
  } catch (error) {
    // A lost connection to the database hides whether the row was committed. The sweep finds out.
    if (!isCommitPossible || error instanceof AppError) await ctx.media.remove(row.file);
    throw error;
  }
}
