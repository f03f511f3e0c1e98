import axe from 'axe-core';
import { expect } from 'vitest';
import { emulateDevice } from './media-emulation.ts';

const RULES = {
  light: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  // The looks differ in colors only.
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const satisfies Record<string, axe.RunOnly>;

/** A page that changes for a moment after it is shown has settled well before this number of runs. */
const MAX_RUNS = 20;

async function findAxeViolations(colorScheme: keyof typeof RULES): Promise<string[]> {
  const { violations } = await axe.run(document, {
    runOnly: RULES[colorScheme],
    resultTypes: ['violations'],
    // It would fetch the stylesheets again.
    preload: false,
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
}

/**
 * Expects no violations in the page in its looks, once it has settled. The page stays in the last one. A poll with a
 * time-out could leave a run unfinished, after which axe refuses all others.
 */
export async function expectNoAxeViolations(
  name: string,
  looks: readonly (keyof typeof RULES)[] = ['light', 'dark'],
): Promise<void> {
  for (const colorScheme of looks) {
    await emulateDevice({ colorScheme, reducedMotion: true });
    let violations = await findAxeViolations(colorScheme);
    for (let runs = 1; violations.length > 0 && runs < MAX_RUNS; runs += 1) {
      violations = await findAxeViolations(colorScheme);
    }
    expect(violations, `${name} (${colorScheme})`).toEqual([]);
  }
}
