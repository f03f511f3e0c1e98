import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../test/run-command.ts';
import { startServer } from '../../../test/harness.ts';
import { spawnServer } from '../../../test/spawn-server.ts';
import { variablesOf } from '../../../test/test-database.ts';

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('refuses to start a second server on the same folder while the first one runs', async () => {
  const dataDir = emptyFolder();
  const first = await startServer({}, dataDir);
  const refused = /Another server is running on .+\. Stop it first/;
  await expect(startServer({}, dataDir)).rejects.toThrow(refused);
  const variables = await variablesOf(dataDir);
  expect(await runCommand({ ...variables, PARLEY_PORT: '0' }, 'serve')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(refused),
  });
  expect(await runCommand(variables, 'user', 'list')).toMatchObject({ code: 0 });
  await first.close();
  await (await startServer({}, dataDir)).close();
});

test('releases the lock when the server is killed', async () => {
  const dataDir = emptyFolder();
  const first = await spawnServer(dataDir);
  await expect(startServer({}, dataDir)).rejects.toThrow('Another server is running');
  await first.kill();
  await (await startServer({}, dataDir)).close();
});
