import { expect, test } from 'vitest';
import { SCREEN_VISITS } from './support/visit-screens.ts';

const OPTIONS = { viewport: { width: 360, height: 640 }, reducedMotion: true };
const CONTROLS = 'button, a[href], input, select, textarea, [role="option"], [role="menuitem"]';
/** Fields without text. */
const WITHOUT_TEXT = '[type="radio"], [type="checkbox"], [type="file"], [type="range"]';

/**
 * Returns what is too small for a finger: visible controls below 44 pixels, except links within a text. The
 * specification sets the least height of the text box.
 */
function findSmallTargets(): string[] {
  const isInText = (element: Element) =>
    getComputedStyle(element).display === 'inline' && element.matches('a, button');
  return Array.from(document.querySelectorAll<HTMLElement>(CONTROLS))
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => element.tabIndex >= 0 && !isInText(element))
    .filter((element) => {
      const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
      const leastHeight = element.matches('textarea') ? 40 : 43.5;
      return width > 1 && (width < 43.5 || height < leastHeight);
    })
    .map(({ outerHTML }) => outerHTML.slice(0, 120));
}

/** Returns the fields into which iOS would zoom when they are focused. */
function findSmallFields(): string[] {
  return Array.from(document.querySelectorAll<HTMLElement>('input, textarea, select'))
    .filter((field) => !field.matches(WITHOUT_TEXT))
    .filter((field) => field.checkVisibility() && field.offsetWidth > 1)
    .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
    .map(({ outerHTML }) => outerHTML.slice(0, 120));
}

async function inspect(name: string): Promise<void> {
  await expect.poll(findSmallTargets, { message: `small targets of ${name}` }).toEqual([]);
  await expect.poll(findSmallFields, { message: `small fields of ${name}` }).toEqual([]);
  const width = () => document.documentElement.scrollWidth;
  await expect.poll(width, { message: `width of ${name}` }).toBeLessThanOrEqual(innerWidth);
}

for (const [who, visit] of Object.entries(SCREEN_VISITS)) {
  test(`no screen of ${who} scrolls sideways, has small targets or zooms into a field on a phone`, async () => {
    await visit(OPTIONS, inspect);
  });
}
