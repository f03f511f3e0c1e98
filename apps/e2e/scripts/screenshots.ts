import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { runServer } from '@parley/testing';
import { launchOptions } from '@parley/testing/browser';
import { chromium } from 'playwright';
import { contactPage } from './screenshots/contact-page.ts';
import { paintLake } from './screenshots/painting.ts';
import { LOOKS, photograph, type Look } from './screenshots/photographer.ts';
import { SCENES, type Scene } from './screenshots/scenes.ts';
import { makeWorld } from './screenshots/world.ts';

// Takes pictures of every screen: npm run screenshots -w @parley/e2e -- [folder] [--only room,login]
// [--look 360,dark,en] [--readme]. With --readme only the one that the readme shows.

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  allowPositionals: true,
  options: {
    /** Beginnings of scenes' names. */
    only: { type: 'string' },
    /** Any of widths, themes and languages. */
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
  const picture = await paintLake(browser);
  const worlds = {
    en: await makeWorld(server, 'en', picture),
    de: await makeWorld(server, 'de', picture),
  };
  const files: string[] = [];
  const take = async () => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      const { scene, look } = job;
      const world = worlds[look.language];
      try {
        files.push(await photograph(browser, server.url, world, scene, look, folder));
      } catch (error) {
        process.exitCode = 1;
        console.error(`${scene.name} ${Object.values(look).join(' ')}: ${String(error)}`);
      }
    }
  };
  await Promise.all([take(), take(), take()]);
  if (values.readme) for (const file of files) await rename(join(folder, file), README);
  else await writeFile(join(folder, 'index.html'), contactPage(files.toSorted()));
  console.log(`${files.length} pictures in ${folder}`);
} finally {
  await browser.close();
  await server.dispose();
}

function isWanted({ scene, look }: { scene: Scene; look: Look }): boolean {
  if (look.width < (scene.minWidth ?? 0)) return false;
  const looks = values.readme ? '1280,light,en' : values.look;
  const names = values.readme ? 'room-draft' : values.only;
  const traits = new Set(Object.values(look).map(String));
  const isLook = looks?.split(',').every((trait) => traits.has(trait)) ?? true;
  return isLook && (names?.split(',').some((name) => scene.name.startsWith(name)) ?? true);
}
