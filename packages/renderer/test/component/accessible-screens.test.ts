import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectNoAxeViolations } from './support/axe-violations.ts';
import { findSidewaysScroll } from './support/sideways-scroll.ts';
import { SCREEN_VISITS } from './support/visit-screens.ts';

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 360, height: 740 };
const SMALL = { width: 320, height: 640 };
/** The viewport of a window of 1280 × 1024 at a zoom of 400%. */
const ZOOMED = { width: 320, height: 256 };
const OPTIONS = { viewport: WIDE, reducedMotion: true };

/** Expects that axe finds nothing in wide and narrow windows, and that nothing scrolls sideways in small ones. */
async function inspect(name: string): Promise<void> {
  await expectNoAxeViolations(name);
  await page.viewport(NARROW.width, NARROW.height);
  await expectNoAxeViolations(`${name}, narrow`, ['light']);
  for (const { width, height } of [SMALL, ZOOMED]) {
    await page.viewport(width, height);
    await expect.poll(findSidewaysScroll, { message: `${name}, ${width} × ${height}` }).toEqual([]);
  }
  await page.viewport(WIDE.width, WIDE.height);
}

for (const [who, visit] of Object.entries(SCREEN_VISITS)) {
  test(`axe finds no violations on any screen of ${who}, and none scrolls sideways`, async () => {
    await visit(OPTIONS, inspect);
  });
}
