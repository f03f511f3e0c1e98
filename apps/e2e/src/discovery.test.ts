import { chatRow } from './support/chat.ts';
import { sendOverHttp, signInOverHttp } from './support/browser-user.ts';
import { dismissToast } from './support/dismiss-toast.ts';
import { pressWithKeyboard } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

test('blocked people are listed in the settings of every device, also after a failure, and can be unblocked @long', async ({
  server,
  newPage,
}) => {
  const t = createTranslator('en');
  const laptop = await newPage();
  const { email, password } = await signInOverHttp(laptop, server, 'Alice');
  const phone = await newPage();
  await phone.request.post('/api/users/login', { data: { email, password } });
  const bob = await newPage();
  await signInOverHttp(bob, server, 'Bob');
  const id = await sendOverHttp(laptop, 'Bob', 'Hello Bob!');
  const section = (page: typeof laptop) =>
    page.getByRole('region', { name: t('settings.blocked') });
  const lists = /\/api\/(?:invitations|chatrooms\/blocked)$/;
  await laptop.route(lists, (route) => route.abort());
  for (const page of [laptop, phone]) await page.goto('/settings');
  for (const text of [t('settings.invitationsFailed'), t('settings.blockedFailed')]) {
    await expect(laptop.getByRole('alert').filter({ hasText: text })).toBeVisible();
  }
  await laptop.unroute(lists);
  await section(laptop)
    .getByRole('button', { name: t('app.retry') })
    .click();
  for (const page of [laptop, phone]) {
    await expect(section(page).getByText(t('settings.blockedEmpty'))).toBeVisible();
    await expect(chatRow(page, 'Bob')).toBeVisible();
  }

  await laptop.request.post(`/api/chatrooms/chats/${id}/block`);
  for (const page of [laptop, phone]) {
    await expect(section(page).getByRole('listitem')).toContainText('Bob');
    await expect(chatRow(page, 'Bob')).toHaveCount(0);
  }

  const unblock = section(laptop).getByRole('button', {
    name: t('settings.unblockPerson', { name: 'Bob' }),
  });
  await laptop.route('**/unblock', (route) => route.abort());
  await pressWithKeyboard(laptop, unblock);
  await expect(laptop.getByText(t('error.offline'))).toBeVisible();
  await laptop.unroute('**/unblock');
  await expect(unblock).toBeFocused();
  await laptop.keyboard.press('Enter');
  await expect(section(laptop).getByRole('heading')).toBeFocused();
  await dismissToast(laptop, t('block.undone', { name: 'Bob' }));
  for (const page of [laptop, phone]) {
    await expect(section(page).getByText(t('settings.blockedEmpty'))).toBeVisible();
    await expect(chatRow(page, 'Bob')).toBeVisible();
  }
});
