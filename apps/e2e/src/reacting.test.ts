import type { Locator, Page } from 'playwright/test';
import { message } from './support/chat.ts';
import { openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const HELLO = 'Hello Bob!';
const THUMB = '👍';
const t = createTranslator('en');

/** Returns the thumb below the message, which a click toggles, by those who chose it. */
function chip(page: Page, who: string): Locator {
  const row = page.getByRole('article').filter({ has: message(page, HELLO) });
  const name = t('reaction.chip', { emoji: THUMB, who });
  return row.getByRole('listitem').getByRole('button', { name, exact: true });
}

test('reactions are shown to both members', async ({ server, newPage }) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const both = (name: string) => t('reaction.youAnd', { name });
  await message(bob.page, HELLO).click({ button: 'right', position: { x: 12, y: 12 } });
  const quick = t('reaction.react', { emoji: THUMB });
  await bob.page.getByRole('menuitemcheckbox', { name: quick, exact: true }).click();
  await expect(chip(alice.page, 'Bob')).toHaveAttribute('aria-pressed', 'false');

  await chip(alice.page, 'Bob').click();
  await expect(chip(alice.page, both('Bob'))).toHaveText(/2$/);
  await expect(chip(bob.page, both('Alice'))).toHaveText(/2$/);
  await chip(bob.page, both('Alice')).click();
  await expect(chip(alice.page, t('reaction.you'))).toBeVisible();
  await expect(chip(bob.page, 'Alice')).toBeVisible();
});
