import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright';
import { localeOf, words, type Language } from '../../src/support/texts.ts';
import type { Scene } from './scenes.ts';
import type { World } from './world.ts';

/** A window in a look: what each scene is shown in. */
export interface Look {
  readonly width: number;
  readonly theme: 'light' | 'dark';
  readonly language: Language;
}

/** Heights that belong to the widths: a phone, a tablet, a desktop. */
const HEIGHTS: ReadonlyMap<number, number> = new Map([
  [360, 740],
  [768, 1_024],
  [1_280, 800],
]);

/** Every look that the application has to be beautiful in. */
export const LOOKS: readonly Look[] = [...HEIGHTS.keys()].flatMap((width) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    (['en', 'de'] as const).map((language) => ({ width, theme, language })),
  ),
);

/** Takes the picture of a scene; returns its file's name. */
export async function photograph(
  browser: Browser,
  url: string,
  world: World,
  scene: Scene,
  look: Look,
  folder: string,
): Promise<string> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: look.width, height: HEIGHTS.get(look.width) ?? 800 },
    colorScheme: look.theme,
    locale: localeOf(look.language),
    timezoneId: 'Europe/Berlin',
    permissions: ['microphone'],
    reducedMotion: 'reduce',
    ...(scene.as !== 'stranger' && { storageState: world.sessions[scene.as] }),
  });
  try {
    const file = `${scene.name}.${look.width}.${look.theme}.${look.language}.png`;
    await stage(context, world, scene, look, join(folder, file));
    return file;
  } finally {
    await context.close();
  }
}

async function stage(
  context: BrowserContext,
  world: World,
  scene: Scene,
  look: Look,
  path: string,
): Promise<void> {
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  await scene.arrange?.(page);
  await page.goto(scene.path(world));
  await page.locator('h1, h2, form, main').first().waitFor({ state: 'attached' });
  await scene.act?.(page, words(look.language), world);
  await page.evaluate(() => document.fonts.ready);
  // Pictures and waveforms arrive, tooltips and transitions settle.
  await page.waitForTimeout(700);
  await page.screenshot({ path, caret: 'initial' });
}
