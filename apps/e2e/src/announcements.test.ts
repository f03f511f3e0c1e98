import { openSharedChatroom } from './support/shared-chatroom.ts';
import { sendOverHttp } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

test('new messages and toasts are announced to screen readers', async ({ server, newPage }) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const log = bob.page.getByRole('log', { name: t('room.announced') });
  await expect(log).toHaveAttribute('aria-live', 'polite');
  await expect(log).toBeEmpty();
  await sendOverHttp(alice.page, 'Bob', 'Do you hear me?');
  const announcement = t('room.announcement', { name: 'Alice', text: 'Do you hear me?' });
  await expect(log).toHaveText(announcement);
  await sendOverHttp(alice.page, 'Bob', 'And now?');
  await expect(log.getByRole('paragraph')).toHaveCount(2);
  await bob.page.goto('/settings');
  await bob.page.getByRole('radio', { name: t('settings.volumeLoud') }).click();
  const toast = bob.page.locator('.Toastify__toast');
  await expect(toast.and(bob.page.getByRole('alert'))).toHaveText(t('settings.updated'));
});
