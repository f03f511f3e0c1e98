import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listAssets, type Assets } from '../../src/main/origin/assets.ts';

/** A bundle of two files in a temporary folder. */
export interface Bundle {
  readonly folder: string;
  readonly assets: Assets;
  readonly dispose: () => Promise<void>;
}

/** Creates a bundle of a document and a script. */
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
