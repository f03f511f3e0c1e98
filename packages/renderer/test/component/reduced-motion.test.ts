import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { chatRowOf } from './support/locators.ts';
import { emulateDevice } from './support/media-emulation.ts';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');

/** Returns the duration of the longest transition or animation in the page. Seconds. */
function longestDuration(): number {
  const durations = Array.from(document.querySelectorAll('*'), (element) => {
    const { transitionDuration, animationDuration } = getComputedStyle(element);
    return `${transitionDuration},${animationDuration}`.split(',').map(Number.parseFloat);
  });
  return Math.max(...durations.flat());
}

test('there are no animations with reduced motion', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const room = `/chatarea/chats/${await createChatBetween(server, ['Alice', 'Bob'])}`;
  const { reload } = await openApp({ server, user: 'Alice', path: room });
  await expect.element(chatRowOf('Bob')).toBeVisible();
  expect(longestDuration()).toBeGreaterThan(0);
  await emulateDevice({ reducedMotion: true });
  for (const path of [room, '/chatarea', '/settings']) {
    await reload(path);
    await expect.element(chatRowOf('Bob')).toBeVisible();
    expect(longestDuration()).toBeLessThan(0.001);
  }
  // The progress bar is invisible, but its end closes the toast, so it must keep its duration.
  await page.getByRole('radio', { name: t('settings.volumeLoud') }).click();
  await expect.element(page.getByText(t('settings.updated'))).toBeVisible();
  const bar = page.getByCss('.Toastify__progress-bar');
  expect(getComputedStyle(bar.element()).animationDuration).toBe('4s');
});
