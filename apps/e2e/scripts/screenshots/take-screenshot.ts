import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright';
import { localeOf, createTranslator, type TestLanguage } from '../../src/support/texts.ts';
import type { Scene } from './scenes.ts';
import type { SampleData } from './sample-data.ts';

/** A variant of each scene: the window size, the theme and the language. */
export interface Look {
  readonly width: number;
  readonly theme: 'light' | 'dark';
  readonly language: TestLanguage;
}

/** The width of a large display, of which screenshots are only taken when asked for. Pixels. */
export const LARGE_WIDTH = 1_920;

/** Window heights by width, for a phone, a tablet, a desktop and a large display. Pixels. */
const HEIGHTS: ReadonlyMap<number, number> = new Map([
  [360, 740],
  [768, 1_024],
  [1_280, 800],
  [LARGE_WIDTH, 1_080],
]);

/** All looks in which screenshots are taken. */
export const LOOKS: readonly Look[] = [...HEIGHTS.keys()].flatMap((width) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    (['en', 'de'] as const).map((language) => ({ width, theme, language })),
  ),
);

/** Takes a screenshot of a scene. Returns the name of its file. */
export async function takeScreenshot(
  browser: Browser,
  url: string,
  data: SampleData,
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
    ...(scene.as !== 'guest' && { storageState: data.sessions[scene.as] }),
  });
  try {
    const file = `${scene.name}.${look.width}.${look.theme}.${look.language}.png`;
    await captureScene(context, data, scene, look, join(folder, file));
    return file;
  } finally {
    await context.close();
  }
}

async function captureScene(
  context: BrowserContext,
  data: SampleData,
  scene: Scene,
  look: Look,
  path: string,
): Promise<void> {
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  await scene.arrange?.(page);
  await page.goto(scene.path(data));
  await page.locator('h1, h2, form, main').first().waitFor({ state: 'attached' });
  await scene.act?.(page, createTranslator(look.language), data);
  await page.evaluate(() => document.fonts.ready);
  // Waits for images, waveforms, tooltips and transitions.
  await page.waitForTimeout(700);
  await page.screenshot({ path, caret: 'initial' });
}
