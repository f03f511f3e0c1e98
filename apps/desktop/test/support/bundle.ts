import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listAssets, type Assets } from '../../src/main/origin/assets.ts';

/** A web client of two files in a folder of its own. */
export interface Bundle {
  readonly folder: string;
  readonly assets: Assets;
  readonly dispose: () => Promise<void>;
}

/** Writes one with a document and a script. */
export async function createBundle(): Promise<Bundle> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bundle-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Parley</title>');
  await writeFile(join(folder, 'assets', 'app-1a2b.js'), 'export {};');
  return {
    folder,
    assets: await listAssets(folder),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}
