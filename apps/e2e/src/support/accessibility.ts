import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from 'playwright/test';

/** Waits until axe finds no violations on a page. Transitions may cause some for a moment. */
export async function expectNoViolations(page: Page): Promise<void> {
  const find = async () => {
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
  };
  await expect.poll(find, { timeout: 60_000 }).toEqual([]);
}

/** Checks a page in the light and the dark look. The page stays dark. */
export async function expectNoViolationsInAllLooks(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectNoViolations(page);
  }
}
