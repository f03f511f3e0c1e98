import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createByteSource } from '../src/inspection/formats/byte-source.ts';
import { startRenderer } from '../src/inspection/formats/svg/render-svg.ts';
import { RendererNeededError } from '../src/inspection/formats/svg/svg.ts';
import { loadSvgRenderer } from '../src/inspection/formats/svg/svg-renderer.ts';
import { inspectMedia, type Inspected } from '../src/inspection/inspect.ts';
import { writePieces } from '../src/inspection/write-pieces.ts';

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
      const found = await inspectMedia(createByteSource(handle.fd)).catch(
        async (error: unknown) => {
          if (!(error instanceof RendererNeededError)) throw error;
          await startRenderer(await loadSvgRenderer());
          return inspectMedia(createByteSource(handle.fd));
        },
      );
      if (found === undefined) return undefined;
      writePieces(handle.fd, found.pieces, clean);
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
