import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes shell scripts the only programs in the `PATH` of this process, to fake the tools of a desktop. Resolves to
 * a function that restores the `PATH`.
 * @param programs the shell script of each program by its name
 */
export async function fakePrograms(programs: Record<string, string>): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-programs-'));
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const before = process.env['PATH'] ?? '';
  process.env['PATH'] = folder;
  return async () => {
    process.env['PATH'] = before;
    await rm(folder, { recursive: true, force: true });
  };
}
