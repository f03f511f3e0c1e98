import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');

/** Returns how long the animations of the page take with their delays and repetitions. Seconds. */
function animationTimes(): number[] {
  return Array.from(document.querySelectorAll('*'), (element) => {
    const style = getComputedStyle(element);
    const { animationName, animationDelay, animationDuration, animationIterationCount } = style;
    if (animationName === 'none') return [];
    const count =
      animationIterationCount === 'infinite' ? Infinity : Number(animationIterationCount);
    return [Number.parseFloat(animationDelay) + Number.parseFloat(animationDuration) * count];
  }).flat();
}

// WCAG 2.2.2. A page that is left open would also use the processor all the time.
test('the pictures of the welcome and the 404 page stop moving within five seconds', async () => {
  const { reload } = await openApp({ user: 'Alice' });
  await expect.element(page.getByText(t('chatList.empty'))).toBeVisible();
  await expect.poll(() => animationTimes().length).toBeGreaterThan(2);
  await expect.poll(() => Math.max(...animationTimes())).toBeLessThanOrEqual(5);
  await reload('/nowhere');
  await expect.element(page.getByText(t('notFound.title'))).toBeVisible();
  await expect.poll(() => animationTimes().length).toBeGreaterThan(0);
  await expect.poll(() => Math.max(...animationTimes())).toBeLessThanOrEqual(5);
});
