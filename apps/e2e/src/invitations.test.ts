import type { Page } from 'playwright/test';
import { chatRow, textBox } from './support/chat.ts';
import {
  logIn,
  registerOverHttp,
  signInOverHttp,
  signUpOverHttp,
  submitLogin,
  submitVerification,
} from './support/browser-user.ts';
import { focusWithKeyboard, pressWithKeyboard, typeWithKeyboard } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, localeOf, createTranslator } from './support/texts.ts';

/** Creates an invitation of the page's user over HTTP. Returns the path of its link. */
async function inviteOverHttp(page: Page, data: object = { isSingleUse: true }): Promise<string> {
  const response = await page.request.post('/api/invitations', { data });
  expect(response.status()).toBe(201);
  const { code } = (await response.json()) as { code: string };
  return `/invite#${code}`;
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`an invitation is created, shared and accepted with the keyboard (${language})`, async ({
    server,
    newPage,
  }) => {
    const locale = localeOf(language);
    const alice = await newPage({ locale, permissions: ['clipboard-read', 'clipboard-write'] });
    const { email, password } = await signInOverHttp(alice, server, 'Alice', language);
    const phone = await newPage({ locale });
    await phone.request.post('/api/users/login', { data: { email, password } });
    await phone.goto('/chatarea');
    const bob = await newPage({ locale });
    await signUpOverHttp(bob, server, 'Bob', language);

    const link =
      await test.step('the form creates an invitation, and the link is copied', async () => {
        await alice.goto('/settings');
        const create = alice.getByRole('button', { name: t('settings.invitationNew') });
        await expect(alice.getByText(t('settings.invitationsEmpty'))).toBeVisible();
        await pressWithKeyboard(alice, create);
        const dialog = alice.getByRole('dialog', { name: t('settings.invitationNew') });
        await focusWithKeyboard(alice, dialog.getByRole('radio', { name: t('invite.once') }));
        await typeWithKeyboard(alice, dialog.getByLabel(t('settings.invitationNote')), 'Choir');
        await alice.keyboard.press('Enter');
        const created = alice.getByRole('dialog', { name: 'Choir' });
        await expect(created.getByRole('img', { name: t('invite.qr') })).toBeVisible();
        const copy = created.getByRole('button', { name: t('invite.copy') });
        await expect(copy).toBeFocused();
        await alice.keyboard.press('Enter');
        await expect(created.getByRole('status')).toHaveText(t('invite.copied'));
        const shown = await created.getByRole('textbox').inputValue();
        expect(await alice.evaluate(() => navigator.clipboard.readText())).toBe(shown);
        await alice.keyboard.press('Escape');
        await expect(create).toBeFocused();
        const item = alice.getByRole('listitem').filter({ hasText: 'Choir' });
        await pressWithKeyboard(alice, item.getByRole('button').first());
        await expect(copy).toBeFocused();
        await expect(created.getByRole('textbox')).toHaveValue(shown);
        return shown;
      });

    await test.step('another user starts the chat, which both have without a request', async () => {
      await bob.goto('/chatarea/exist');
      const search = bob.getByLabel(t('findUser.username'), { exact: true });
      await expect(search).toHaveAccessibleDescription(t('findUser.linkHelp'));
      await search.fill(link);
      await search.press('Enter');
      const title = t('invite.title', { name: 'Alice' });
      await expect(bob.getByRole('heading', { level: 1 })).toHaveText(title);
      await expect(bob.getByRole('heading', { level: 1 })).toBeFocused();
      await expect(bob).toHaveTitle(t('app.pageTitle', { page: title }));
      await pressWithKeyboard(bob, bob.getByRole('button', { name: t('invite.start') }));
      await bob.waitForURL(/\/chatarea\/chats\/[0-9a-f-]{36}$/);
      await textBox(bob).fill('Hello Alice!');
      await textBox(bob).press('Enter');
      for (const page of [alice, phone]) {
        await expect(chatRow(page, 'Bob')).toContainText('Hello Alice!');
        await expect(chatRow(page, 'Bob')).toContainText('1');
      }
    });

    await test.step('the invitation has been used', async () => {
      await bob.goto(link);
      await expect(bob.getByRole('alert')).toHaveText(t('invite.invalid'));
      await pressWithKeyboard(bob, bob.getByRole('link', { name: t('invite.toChats') }));
      await expect(chatRow(bob, 'Alice')).toBeVisible();
      await expect(alice.getByText(t('settings.invitationsEmpty'))).toBeVisible();
    });
  });

  test(`an invitation leads to the registration and to the login (${language})`, async ({
    server,
    newPage,
  }) => {
    const alice = await newPage();
    await signUpOverHttp(alice, server, 'Alice', language);
    const link = await inviteOverHttp(alice, { isSingleUse: false, days: 7 });

    await test.step('a link to the registration says who invites', async () => {
      const page = await newPage({ locale: localeOf(language) });
      await page.goto(link.replace('/invite#', '/register#invitation='));
      await expect(page.getByText(t('register.fromInvitation', { name: 'Alice' }))).toBeVisible();
    });

    await test.step('a guest who registers has the chat after the first login', async () => {
      const page = await newPage({ locale: localeOf(language) });
      const sockets: string[] = [];
      page.on('websocket', (socket) => sockets.push(socket.url()));
      await page.goto(link);
      await expect(page.getByText(t('invite.text'))).toBeVisible();
      await page.getByRole('link', { name: t('invite.register') }).click();
      await expect(page.getByText(t('register.fromInvitation', { name: 'Alice' }))).toBeVisible();
      await page.getByLabel(t('field.email'), { exact: true }).fill('bob@example.org');
      await page.getByLabel(t('field.username'), { exact: true }).fill('Bob');
      await page.getByLabel(t('field.password'), { exact: true }).fill('correct horse');
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: t('register.submit'), exact: true }).click();
      await page.waitForURL('**/register/verify');
      expect(sockets).toEqual([]);
      const user = { page, username: 'Bob', email: 'bob@example.org', password: 'correct horse' };
      await submitVerification(user, await server.keyFor(user.email), language);
      await page.waitForURL((url) => url.pathname === '/');
      await expect(chatRow(alice, 'Bob')).toBeVisible();
      await logIn(user, language);
      await chatRow(page, 'Alice').click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Alice');
    });

    await test.step('the login returns to the invitation', async () => {
      await registerOverHttp(server, 'Carla', language);
      const page = await newPage({ locale: localeOf(language) });
      // The invitation of a server without registration.
      await page.route('**/api/invitations/preview', (route) =>
        route.fulfill({ json: { username: 'Alice', canRegister: false } }),
      );
      await page.goto(link);
      await expect(page.getByText(t('invite.textLogin'))).toBeVisible();
      await expect(page.getByRole('link', { name: t('invite.register') })).toHaveCount(0);
      await page.getByRole('link', { name: t('invite.login') }).click();
      await submitLogin(page, 'carla@example.org', 'correct horse', language);
      await page.getByRole('button', { name: t('invite.start') }).click();
      await page.waitForURL(/\/chatarea\/chats\/[0-9a-f-]{36}$/);
      await expect(chatRow(alice, 'Carla')).toBeVisible();
      // The return path has been used.
      await page.goto('/chatarea');
      expect(await page.evaluate(() => sessionStorage.getItem('parley.wanted'))).toBeNull();
    });
  });
}
