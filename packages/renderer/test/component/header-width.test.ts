import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { chatRowOf } from './support/locators.ts';
import { openApp } from './support/open-app.ts';

/** Returns whether the text of an element fits into its box. */
function fitsIntoBox(locator: Locator): boolean {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = locator.element();
  return scrollWidth <= clientWidth && scrollHeight <= clientHeight;
}

test('the header shows a username of 20 characters in full at every width', async () => {
  const t = createTranslator('en');
  for (const name of ['Wwwwwwwwwwwwwwwwwwww', 'maximilian-schneider']) {
    await openApp({ user: name });
    const greeting = page.getByText(t('app.greeting', { name }), { exact: true });
    for (const width of [320, 360, 640, 1024, 1280]) {
      await page.viewport(width, 800);
      await expect.element(greeting).toBeVisible();
      expect(fitsIntoBox(greeting), `${name} at ${width} pixels`).toBe(true);
      expect(fitsIntoBox(page.getByCss('header').first())).toBe(true);
      const menu = page.getByRole('button', { name: t('frame.menu', { name }) });
      await expect.element(menu).toBeInViewport({ ratio: 1 });
    }
  }
});

test('a preview of 80 characters is not cut in wide windows', async () => {
  const text = 'We could meet at the market at noon, walk up to the lake and have our lunch ther';
  const server = createServerWith(['Alice', 'Bob']);
  await createChatBetween(server, ['Alice', 'Bob'], `${text}e.`);
  await openApp({ server, user: 'Bob' });
  const preview = chatRowOf('Alice').getByText(`${text}…`);
  await expect.element(preview).toBeVisible();
  const fits = () => {
    const { parentElement: box } = preview.element();
    return box !== null && fitsIntoBox(page.elementLocator(box));
  };
  expect(fits()).toBe(true);
  await page.viewport(1920, 1000);
  expect(fits()).toBe(true);
});
