import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { chatRowOf, messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { expectPath } from './support/expect-path.ts';

const t = createTranslator('en');

test('the link back to the chats goes back in the history if the chats are the previous entry', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const room = `/chatarea/chats/${await createChatBetween(server, ['Alice', 'Bob'])}`;
  const { reload } = await openApp({
    server,
    user: 'Bob',
    viewport: { width: 390, height: 740 },
  });
  const back = page.getByRole('link', { name: t('room.back') });
  const lengths = new Set<number>();
  for (let round = 0; round < 3; round += 1) {
    await chatRowOf('Alice').click();
    await expect.element(messageWith('Hello Bob!')).toBeVisible();
    await back.click();
    await expectPath('/chatarea');
    lengths.add(history.length);
  }
  await page
    .getByRole('link', { name: t('findUser.open') })
    .first()
    .click();
  await page.getByRole('link', { name: t('findUser.close') }).click();
  await expectPath('/chatarea');
  lengths.add(history.length);
  expect(lengths.size).toBe(1);
  history.forward();
  await expectPath('/chatarea/exist');

  // A chatroom that was opened by its address has no chat list before it in the history.
  await reload(room);
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
  await back.click();
  await expectPath('/chatarea');
  history.back();
  await expectPath(room);
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
});
