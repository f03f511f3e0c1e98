import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createByteSource } from '../src/media/formats/byte-source.ts';
import { inspectMedia, type Inspected } from '../src/media/inspect.ts';
import { writePieces } from '../src/media/write-pieces.ts';

/** The result of an inspection with the bytes that would be stored. */
export type InspectedBytes = Omit<Inspected, 'pieces'> & { readonly bytes: Buffer };

/** Inspects bytes like an upload. Returns undefined if the format is not accepted. */
export async function inspectBytes(bytes: Buffer): Promise<InspectedBytes | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-inspect-'));
  const raw = join(folder, 'raw');
  const clean = join(folder, 'clean');
  try {
    await writeFile(raw, bytes);
    const handle = await open(raw, 'r');
    try {
      const found = await inspectMedia(await createByteSource(handle));
      if (found === undefined) return undefined;
      await writePieces(handle, found.pieces, clean);
      const bytes = await readFile(clean);
      if (bytes.length !== found.pieces.length)
        throw new Error('the cleaned file has another length than announced');
      return { ...found, bytes };
    } finally {
      await handle.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
