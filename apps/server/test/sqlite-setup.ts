import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { databaseFile } from '../src/storage/open.ts';
import { createDataFolder } from './create-data-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    sqliteTemplate: string;
  }
}

/** Creates the migrated database that test servers start with, as migrating takes half of their start. */
export default async function setUpSqlite(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-template-'));
  await createDataFolder(folder);
  project.provide('sqliteTemplate', databaseFile(folder));
  return () => rm(folder, { recursive: true });
}
