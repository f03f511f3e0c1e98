import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');

test('windows of at least 1024 pixels have two panes, narrower ones have one', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const path = `/chatarea/chats/${await createChatBetween(server, ['Alice', 'Bob'])}`;
  const viewport = { width: 1024, height: 700 };
  const { reload } = await openApp({ server, user: 'Alice', path, viewport });
  const list = page.getByRole('navigation', { name: t('chatList.title') });
  const open = page.getByRole('region', { name: t('room.messages', { name: 'Bob' }) });
  await expect.element(list).toBeVisible();
  await expect.element(open).toBeVisible();
  const left = list.element().getBoundingClientRect();
  expect(left.right).toBeLessThanOrEqual(open.element().getBoundingClientRect().left + 1);

  await page.viewport(1023, 700);
  await expect.element(list).not.toBeInTheDocument();
  await expect.element(open).toBeVisible();
  await page.getByRole('link', { name: t('room.back') }).click();
  await expect.element(list).toBeVisible();
  await expect.element(open).not.toBeInTheDocument();
  await page.viewport(1024, 700);
  await expect.element(page.getByText(t('shell.chooseChat'), { exact: true })).toBeVisible();
  await expect.element(list).toBeVisible();
  await reload(path);
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
  await expect.element(list).toBeVisible();
});
