import { createWriteStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../context.ts';
import { idFloor, newId } from '../db/ids.ts';
import { AppError } from '../errors/app-error.ts';
import { createByteSource } from './formats/byte-source.ts';
import { inspectMedia, type Inspected } from './inspect.ts';
import { incomingFolder, mediaFolder, mediaPath, removeFile } from './media-store.ts';
import { mediaUrl } from './media-url.ts';
import { countUnusedUploads, insertUpload } from './media.repository.ts';
import { UNUSED_MAX_AGE } from './sweep.ts';
import { writePieces } from './write-pieces.ts';

/** Uploads that a person may have without having sent them. */
const UNUSED_MAX = 100;

/** Seconds after which a person with too many of them may try again. */
const RETRY_AFTER = 60;

/** A file as it comes in; `truncated` tells at its end whether it was longer than allowed. */
export type IncomingFile = Readable & { readonly truncated: boolean };

/**
 * Refuses a person who uploads without ever sending.
 * @throws {AppError} `rate_limited`
 */
export async function assertMayUpload(ctx: Context, userId: string): Promise<void> {
  const sinceId = idFloor(Date.now() - UNUSED_MAX_AGE);
  if ((await countUnusedUploads(ctx.db, userId, sinceId)) >= UNUSED_MAX) {
    throw new AppError('rate_limited', { retryAfter: RETRY_AFTER });
  }
}

/**
 * Stores an upload, without what it tells about where and with what it was made, and returns its
 * URL. Whatever goes wrong, no file is left.
 * @throws {AppError} `too_large`, `unsupported_media`, `invalid_request` for one that breaks off
 */
export async function storeUpload(
  ctx: Context,
  userId: string,
  kind: 'image' | 'audio',
  incoming: IncomingFile,
): Promise<string> {
  const id = newId();
  const raw = join(incomingFolder(ctx.config), id);
  const clean = `${raw}.clean`;
  try {
    await receive(incoming, raw);
    const found = await cleanUp(raw, clean, kind);
    const file = `${id}.${found.type.ending}`;
    await keep(ctx, clean, {
      id,
      owner_id: userId,
      kind,
      mime: found.type.mime,
      size: found.pieces.length,
      file,
      width: found.width ?? null,
      height: found.height ?? null,
      created_at: Date.now(),
    });
    return mediaUrl(ctx.config, file);
  } finally {
    await removeFile(raw, ctx.log);
    await removeFile(clean, ctx.log);
  }
}

async function receive(incoming: IncomingFile, path: string): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(incoming, file);
  } catch (error) {
    // Trouble with the disk has a cause of its own; anything else is a request that broke off.
    if (file.errored === error && isSystemError(error)) throw error;
    throw new AppError('invalid_request', { cause: error });
  }
  if (incoming.truncated) throw new AppError('too_large');
}

/** Reads what came in and writes what others may see of it. */
async function cleanUp(raw: string, clean: string, kind: 'image' | 'audio'): Promise<Inspected> {
  const handle = await open(raw, 'r');
  try {
    const found = await inspectMedia(await createByteSource(handle));
    if (found?.type.kind !== kind) throw new AppError('unsupported_media');
    await writePieces(handle, found.pieces, clean);
    return found;
  } finally {
    await handle.close();
  }
}

/** Puts the file in its place, then records it: a file without a row is swept, a row has its file. */
async function keep(
  ctx: Context,
  clean: string,
  row: Parameters<typeof insertUpload>[1],
): Promise<void> {
  const path = mediaPath(ctx.config, row.file);
  await rename(clean, path);
  try {
    await syncFolder(mediaFolder(ctx.config));
    await ctx.writes.write(({ trx }) => insertUpload(trx, row));
  } catch (error) {
    await removeFile(path, ctx.log);
    throw error;
  }
}

// So that the name survives a power cut, too. Windows does this by itself and opens no folders.
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall !== 'read';
}
