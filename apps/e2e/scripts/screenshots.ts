import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { runServer } from '@parley/testing';
import { launchOptions } from '@parley/testing/browser';
import { chromium } from 'playwright';
import { createOverviewPage } from './screenshots/overview-page.ts';
import { createSampleImage } from './screenshots/sample-image.ts';
import { LARGE_WIDTH, LOOKS, takeScreenshot, type Look } from './screenshots/take-screenshot.ts';
import { SCENES, type Scene } from './screenshots/scenes.ts';
import { createSampleData } from './screenshots/sample-data.ts';

// Takes screenshots of every screen: npm run screenshots -w @parley/e2e -- [folder] [--only room,login]
// [--look 360,dark,en] [--readme]. --readme takes only the screenshot for the README.

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  allowPositionals: true,
  options: {
    /** Comma-separated prefixes of scene names. */
    only: { type: 'string' },
    /** Comma-separated widths, themes and languages. The width 1920 has to be named. */
    look: { type: 'string' },
    readme: { type: 'boolean', default: false },
  },
});

const README = join(import.meta.dirname, '../../../.github/parley.png');
const folder = values.readme
  ? dirname(README)
  : (positionals[0] ?? join(import.meta.dirname, '../screenshots'));
const jobs = SCENES.flatMap((scene) => LOOKS.map((look) => ({ scene, look }))).filter(isWanted);

const browser = await chromium.launch(
  launchOptions(
    process.env,
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
  ),
);
const server = await runServer({ PARLEY_RATE_LIMITS: 'false' });
try {
  await mkdir(folder, { recursive: true });
  const picture = await createSampleImage(browser);
  const dataByLanguage = {
    en: await createSampleData(server, 'en', picture),
    de: await createSampleData(server, 'de', picture),
  };
  const files: string[] = [];
  const take = async () => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      const { scene, look } = job;
      const data = dataByLanguage[look.language];
      try {
        files.push(await takeScreenshot(browser, server.url, data, scene, look, folder));
      } catch (error) {
        process.exitCode = 1;
        console.error(`${scene.name} ${Object.values(look).join(' ')}: ${String(error)}`);
      }
    }
  };
  await Promise.all([take(), take(), take()]);
  if (values.readme) for (const file of files) await rename(join(folder, file), README);
  else await writeFile(join(folder, 'index.html'), createOverviewPage(files.toSorted()));
  console.log(`${files.length} screenshots in ${folder}`);
} finally {
  await browser.close();
  await server.dispose();
}

function isWanted({ scene, look }: { scene: Scene; look: Look }): boolean {
  if (look.width < (scene.minWidth ?? 0)) return false;
  const looks = (values.readme ? '1280,light,en' : values.look)?.split(',');
  if (look.width === LARGE_WIDTH && looks?.includes(String(LARGE_WIDTH)) !== true) return false;
  const names = values.readme ? 'room-draft' : values.only;
  const traits = new Set(Object.values(look).map(String));
  const isLook = looks?.every((trait) => traits.has(trait)) ?? true;
  return isLook && (names?.split(',').some((name) => scene.name.startsWith(name)) ?? true);
}
