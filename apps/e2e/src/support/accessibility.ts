import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from 'playwright/test';

/** Returns the violations that axe finds on a page by the rules that `choose` leaves, by default all. */
export async function findAxeViolations(
  page: Page,
  choose: (axe: AxeBuilder) => AxeBuilder = (axe) => axe,
): Promise<string[]> {
  // There are no frames. The other mode evaluates each result in another page.
  const { violations } = await choose(new AxeBuilder({ page }).setLegacyMode()).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
}

/** Waits until axe finds no violations on a page. Transitions may cause some for a moment. */
export async function expectNoViolations(page: Page): Promise<void> {
  await expect.poll(() => findAxeViolations(page), { timeout: 60_000 }).toEqual([]);
}

/** Checks a page in the light and the dark look. The page stays dark. */
export async function expectNoViolationsInAllLooks(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectNoViolations(page);
  }
}
