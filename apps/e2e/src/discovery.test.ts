import { chatRow } from './support/chat.ts';
import { sendOverHttp, signInOverHttp } from './support/browser-user.ts';
import { dismissToast } from './support/dismiss-toast.ts';
import { focusWithKeyboard, pressWithKeyboard } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, localeOf, createTranslator } from './support/texts.ts';

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`users decide who finds them and who may write to them (${language})`, async ({
    server,
    newPage,
  }) => {
    const locale = localeOf(language);
    const laptop = await newPage({ locale });
    const { email, password } = await signInOverHttp(laptop, server, 'Alice', language);
    const phone = await newPage({ locale });
    await phone.request.post('/api/users/login', { data: { email, password } });
    const bob = await newPage({ locale });
    await signInOverHttp(bob, server, 'Bob', language);
    for (const page of [laptop, phone]) await page.goto('/settings');
    const radio = (page: typeof laptop, key: string) =>
      page.getByRole('radio', { name: t(`settings.${key}`), exact: true });
    const discoverable = (page: typeof laptop) =>
      page.getByRole('checkbox', { name: t('settings.discoverable') });
    const search = async (name: string) => {
      await bob.goto('/chatarea/exist');
      await bob.getByLabel(t('findUser.username'), { exact: true }).fill(name);
      await bob.getByRole('button', { name: t('findUser.submit') }).click();
    };

    await test.step('the keyboard changes the settings, and the other device shows it', async () => {
      await focusWithKeyboard(laptop, radio(laptop, 'everyone'));
      await laptop.keyboard.press('ArrowDown');
      await expect(radio(phone, 'invited')).toBeChecked();
      await laptop.keyboard.press('ArrowDown');
      await expect(radio(laptop, 'nobody')).toBeChecked();
      await expect(radio(laptop, 'nobody')).toHaveAccessibleDescription(t('settings.nobodyHelp'));
      await expect(radio(phone, 'nobody')).toBeChecked();
      await expect(phone.getByText(t('settings.invitationsOff'))).toBeVisible();
      await focusWithKeyboard(laptop, discoverable(laptop));
      await laptop.keyboard.press('Space');
      await expect(discoverable(phone)).not.toBeChecked();
    });

    await test.step('a hidden user looks as if the name did not exist', async () => {
      for (const name of ['Alice', 'nobody']) {
        await search(name);
        await dismissToast(bob, t('findUser.notFound'));
      }
    });

    await test.step('a failed change is reverted', async () => {
      await laptop.route('**/api/users/privacy', (route) => route.abort());
      await radio(laptop, 'everyone').click();
      await dismissToast(laptop, t('settings.failed'));
      await expect(radio(laptop, 'nobody')).toBeChecked();
      await laptop.unroute('**/api/users/privacy');
    });

    await test.step('a device without a connection shows the settings once it is back', async () => {
      await phone.context().setOffline(true);
      await expect(phone.getByText(t('connection.offline'))).toBeVisible();
      await discoverable(laptop).click();
      await radio(laptop, 'everyone').click();
      await expect(radio(laptop, 'everyone')).toBeChecked();
      await dismissToast(laptop, t('settings.updated'));
      await phone.context().setOffline(false);
      await expect(discoverable(phone)).toBeChecked();
      await expect(radio(phone, 'everyone')).toBeChecked();
    });

    await test.step('a user who shares a chat still finds a hidden user', async () => {
      await sendOverHttp(bob, 'Alice', 'Hello Alice!');
      await discoverable(laptop).click();
      await expect(discoverable(phone)).not.toBeChecked();
      await search('Alice');
      await expect(bob).toHaveURL(/\/chatarea\/chats\/[0-9a-f-]{36}$/);
    });
  });
}

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
