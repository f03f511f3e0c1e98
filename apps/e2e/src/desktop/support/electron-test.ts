import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, expect, type ElectronApplication, type Page } from 'playwright/test';
import { processTest as base } from '../../support/process-test.ts';
import { findElectron } from './find-electron.ts';

const APP = join(import.meta.dirname, '../../../../desktop');

/** The desktop app of one user. */
export interface DesktopInstallation {
  /** Starts the app with the data of earlier starts. */
  start: (...args: string[]) => Promise<ElectronApplication>;
  /** Starts a second instance, which passes its arguments to the running one. Resolves to its exit code. */
  startAgain: (...args: string[]) => Promise<number | null>;
}

interface Fixtures {
  /** Folder of the app's data, which is removed after the test. */
  profile: string;
  installed: DesktopInstallation;
}

export const electronTest = base.extend<Fixtures>({
  profile: async ({ browserName }, provide) => {
    const profile = await mkdtemp(join(tmpdir(), `parley-${browserName}-profile-`));
    await provide(profile);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  },

  installed: async ({ profile }, provide) => {
    const running: ElectronApplication[] = [];
    const executablePath = findElectron(process.env) ?? '';
    const withCommonArgs = (args: string[]) => [
      APP,
      `--user-data-dir=${profile}`,
      '--lang=en-US',
      '--use-fake-device-for-media-stream',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...args,
    ];
    await provide({
      start: async (...args) => {
        const app = await _electron.launch({
          executablePath,
          args: withCommonArgs(args),
          // Playwright disables the sandbox on Linux by default.
          chromiumSandbox: process.getuid?.() !== 0,
        });
        running.push(app);
        return app;
      },
      startAgain: async (...args) => {
        const again = spawn(executablePath, withCommonArgs(args), { stdio: 'ignore' });
        const [code] = (await once(again, 'exit')) as [number | null];
        return code;
      },
    });
    for (const app of running) await app.close().catch(() => undefined);
  },
});

/** Waits for the window whose address matches. */
export async function waitForWindow(app: ElectronApplication, address: RegExp): Promise<Page> {
  await expect
    .poll(() => app.windows().map((page) => page.url()), {
      message: `a window at ${address.source}`,
    })
    .toContainEqual(expect.stringMatching(address));
  const page = app.windows().find((window) => address.test(window.url()));
  if (page === undefined) throw new Error(`the window at ${address.source} is gone again`);
  return page;
}
