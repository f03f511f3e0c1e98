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

/** Reads the file of an upload in the media store of a server. Returns undefined if it does not exist. */
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

/** Turns an upload into one of an older version, which stored SVG as it was. Returns its file. */
export async function turnIntoSvg(
  server: { readonly ctx: Pick<Context, 'config' | 'media' | 'storage'> },
  url: string,
  svg: Buffer,
): Promise<string> {
  const name = url.slice(url.lastIndexOf('/') + 1);
  const file = name.replace(/\.\w+$/, '.svg');
  await putStoredFile(server, file, svg);
  await server.ctx.media.remove(name);
  const row = { file, mime: 'image/svg+xml', inspected_rules: 2, size: svg.length };
  await server.ctx.storage.write(async ({ trx }) => {
    await trx.updateTable('media').set(row).where('file', '=', name).execute();
  });
  return file;
}
