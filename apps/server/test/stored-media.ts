import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../src/context.ts';
import { newId } from '../src/storage/ids.ts';
import { createMediaFolders, incomingFolder } from '../src/media-store/media-folders.ts';

/** Puts a file into the media store of a server, or replaces it. */
export async function putStoredFile(
  { ctx }: { readonly ctx: Pick<Context, 'config' | 'media'> },
  file: string,
  bytes: string | Uint8Array,
): Promise<void> {
  await createMediaFolders(ctx.config);
  const path = join(incomingFolder(ctx.config), newId());
  await writeFile(path, bytes);
  await ctx.media.add(file, path);
  await rm(path, { force: true });
}

/** Reads a file in the media store of a server. Returns undefined if it does not exist. */
export async function readStoredFile(
  { ctx }: { readonly ctx: Pick<Context, 'config' | 'media'> },
  file: string,
): Promise<Buffer | undefined> {
  const handle = await ctx.media.open(file);
  try {
    return await handle?.readFile();
  } finally {
    await handle?.close();
  }
}
