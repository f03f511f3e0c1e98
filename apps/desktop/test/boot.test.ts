import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Runs the built main process in its own process with a fake Electron, which emits `ready` as the real one does:
// once the entry module has been evaluated.

const OUT = join(import.meta.dirname, '../out');
const HOST = join(import.meta.dirname, 'support/electron-host.ts');
const TIMEOUT = 60_000;

interface Run {
  code: number;
  stderr: string;
  windows: { url: string; isShown: boolean }[];
  errorBoxes: { title: string; content: string }[];
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-boot-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs an entry module. Resolves once the app has shown a window or has exited. */
async function boot(entry: string, userData: string): Promise<Run> {
  const run = promisify(execFile);
  const { code, stdout, stderr } = await run(process.execPath, [HOST, entry, userData], {
    env: { ...process.env, NODE_OPTIONS: '', ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent' },
  }).then(
    (ended) => ({ ...ended, code: 0 }),
    (failed: { code: number; stdout: string; stderr: string }) => failed,
  );
  const report = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Omit<Run, 'code' | 'stderr'>;
  return { ...report, code, stderr };
}

test(
  'shows a window on the first start',
  async () => {
    const userData = join(folder, 'first');
    const { code, windows, errorBoxes } = await boot(join(OUT, 'main/boot.js'), userData);
    expect(windows).toEqual([{ url: 'parley-picker://app/picker.html', isShown: true }]);
    expect([code, errorBoxes]).toEqual([0, []]);
  },
  TIMEOUT,
);

test(
  'reports unreadable settings and exits with code 1',
  async () => {
    const userData = join(folder, 'unreadable');
    await mkdir(join(userData, 'settings.json'), { recursive: true });
    const { code, stderr, windows, errorBoxes } = await boot(join(OUT, 'main/boot.js'), userData);
    expect(code).toBe(1);
    expect(windows).toEqual([]);
    expect(stderr).toContain('Parley could not start');
    expect(stderr).toContain('EISDIR');
    expect(errorBoxes).toMatchObject([{ title: 'Parley could not start' }]);
    expect(errorBoxes[0]?.content).toContain('EISDIR');
  },
  TIMEOUT,
);

test(
  'reports a missing part of the app and exits with code 1',
  async () => {
    const broken = join(folder, 'out');
    await cp(join(OUT, 'main'), join(broken, 'main'), { recursive: true });
    const { code, stderr, errorBoxes } = await boot(
      join(broken, 'main/boot.js'),
      join(folder, 'incomplete'),
    );
    expect(code).toBe(1);
    expect(stderr).toContain('ENOENT');
    expect(errorBoxes).toHaveLength(1);
  },
  TIMEOUT,
);

test(
  'the fake Electron never finishes an entry module that awaits `ready`, like the real one',
  async () => {
    const entry = join(folder, 'awaits.mjs');
    await writeFile(
      entry,
      "import { app } from 'electron';\nawait app.whenReady();\napp.exit(0);\n",
    );
    const { code, stderr } = await boot(entry, folder);
    // Node's exit code for an unsettled top-level await.
    expect(code).toBe(13);
    expect(stderr).toContain('unsettled top-level await');
  },
  TIMEOUT,
);
