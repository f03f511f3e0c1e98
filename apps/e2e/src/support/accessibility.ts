import { AxeBuilder } from '@axe-core/playwright';
import { isLongRun } from '@parley/testing/scope';
import { expect, type Page } from 'playwright/test';

/** The rules whose results depend on colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

const softly = expect.configure({ soft: true });

type ChooseRules = (axe: AxeBuilder) => AxeBuilder;

/** Returns the violations that axe finds on a page by the rules that `choose` leaves, by default all. */
export async function findAxeViolations(
  page: Page,
  choose: ChooseRules = (axe) => axe,
): Promise<string[]> {
  // There are no frames. The other mode evaluates each result in another page.
  const { violations } = await choose(new AxeBuilder({ page }).setLegacyMode()).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
}

/**
 * Waits until axe finds no violations on a page. Transitions may cause some for a moment, as rows that are not measured
 * yet.
 */
export async function expectNoViolations(
  page: Page,
  name = 'the page',
  choose?: ChooseRules,
): Promise<void> {
  const find = () => findAxeViolations(page, choose);
  await softly.poll(find, { message: name, timeout: 60_000 }).toEqual([]);
}

/**
 * Checks a page in the light look and, in the long run, in the dark one, without opening it again. The looks differ in
 * colors only, and `tokens.test.ts` compares the colors of both.
 */
export async function expectNoViolationsInAllLooks(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoViolations(page, 'the page (light)');
  if (!isLongRun) return;
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, 'the page (dark)', (axe) => axe.withRules(COLOR_RULES));
}
