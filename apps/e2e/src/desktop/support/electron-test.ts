import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, expect, type ElectronApplication, type Page } from 'playwright/test';
import { test as base } from '../../support/test.ts';
import { findElectron } from './find-electron.ts';

const APP = join(import.meta.dirname, '../../../../desktop');

/** The desktop app as one person has it installed. */
export interface InstalledApp {
  /** Starts it with what it kept from before. */
  start: (...args: string[]) => Promise<ElectronApplication>;
  /** Starts it beside a running one, which takes over; resolves to its exit code. */
  startAgain: (...args: string[]) => Promise<number | null>;
}

interface Fixtures {
  /** Folder of the app's own data, gone after the test. */
  profile: string;
  installed: InstalledApp;
}

export const test = base.extend<Fixtures>({
  profile: async ({ browserName }, provide) => {
    const profile = await mkdtemp(join(tmpdir(), `parley-${browserName}-profile-`));
    await provide(profile);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  },

  installed: async ({ profile }, provide) => {
    const running: ElectronApplication[] = [];
    const executablePath = findElectron(process.env) ?? '';
    const common = (args: string[]) => [
      APP,
      `--user-data-dir=${profile}`,
      '--lang=en-US',
      '--use-fake-device-for-media-stream',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...args,
    ];
    await provide({
      start: async (...args) => {
        const app = await _electron.launch({ executablePath, args: common(args) });
        running.push(app);
        return app;
      },
      startAgain: async (...args) => {
        const again = spawn(executablePath, common(args), { stdio: 'ignore' });
        const [code] = (await once(again, 'exit')) as [number | null];
        return code;
      },
    });
    for (const app of running) await app.close().catch(() => undefined);
  },
});

/** The window whose address fits, as soon as it is there. */
export async function windowAt(app: ElectronApplication, address: RegExp): Promise<Page> {
  await expect
    .poll(() => app.windows().map((page) => page.url()), {
      message: `a window at ${address.source}`,
    })
    .toContainEqual(expect.stringMatching(address));
  const page = app.windows().find((window) => address.test(window.url()));
  if (page === undefined) throw new Error(`the window at ${address.source} is gone again`);
  return page;
}
