import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { focusOn } from './support/focus-on.ts';
import { chatRowOf } from './support/locators.ts';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');

const PARTNERS = Array.from({ length: 8 }, (_, i) => `Partner-number-${i + 1}`);

const add = page.getByRole('link', { name: t('findUser.open') }).first();

test('the chat list shows long names and is a single tab stop', async () => {
  const server = createServerWith(['Alice', ...PARTNERS]);
  for (const partner of PARTNERS) await createChatBetween(server, ['Alice', partner]);
  await openApp({ server, user: 'Alice', viewport: { width: 360, height: 480 } });
  const newest = chatRowOf('Partner-number-8');
  await expect.element(newest).toBeVisible();

  // The time beside a name has a lighter font weight.
  const name = newest.element().querySelector('bdi')?.parentElement as HTMLElement;
  const time = newest.element().querySelector('time') as HTMLElement;
  expect(name.scrollWidth).toBeLessThanOrEqual(name.clientWidth);
  const weightOf = (element: HTMLElement) => Number(getComputedStyle(element).fontWeight);
  expect(weightOf(time)).toBeLessThan(weightOf(name));

  focusOn(newest);
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(chatRowOf('Partner-number-7')).toHaveFocus();
  await userEvent.keyboard('{Tab}');
  await expect.element(add).toHaveFocus();
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
  await expect.element(chatRowOf('Partner-number-7')).toHaveFocus();
});
