import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, createServerWith } from './support/act-as.ts';
import { chatRowOf } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { pressWithKeys, reachWithKeys } from './support/reach-with-keys.ts';
import { sendWithEnter } from './support/send-with-enter.ts';

const heading = page.getByRole('heading', { level: 1 });

/** Matches the path of a chatroom. */
const ROOM_PATH = /^\/chatarea\/chats\/[0-9a-f-]{36}$/;

/** Creates users and an invitation of Alice. Returns its code, too. */
async function createInvited(language: 'en' | 'de', { isSingleUse }: { isSingleUse: boolean }) {
  const server = createServerWith(['Alice', 'Bob'], language);
  const { code } = await actAs(server, 'Alice').call('createInvitation', { body: { isSingleUse } });
  return { server, code, link: `/invite#${code}` };
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`an invitation is created, copied and shown again with the keyboard (${language})`, async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    onTestFinished(() => writeText.mockRestore());
    const { server } = await openApp({ user: 'Alice', path: '/settings', language });
    const create = page.getByRole('button', { name: t('settings.invitationNew') });
    await expect.element(page.getByText(t('settings.invitationsEmpty'))).toBeVisible();
    await pressWithKeys(create);
    const dialog = page.getByRole('dialog', { name: t('settings.invitationNew') });
    await reachWithKeys(dialog.getByRole('radio', { name: t('invite.once') }));
    await reachWithKeys(dialog.getByLabelText(t('settings.invitationNote')));
    await userEvent.keyboard('Choir{Enter}');
    const created = page.getByRole('dialog', { name: 'Choir' });
    await expect.element(created.getByRole('img', { name: t('invite.qr') })).toBeVisible();
    const copy = created.getByRole('button', { name: t('invite.copy') });
    await expect.element(copy).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(created.getByRole('status')).toHaveTextContent(t('invite.copied'));
    const { invitations } = await actAs(server, 'Alice').call('listInvitations');
    expect(invitations).toMatchObject([{ note: 'Choir', isSingleUse: true }]);
    const link = `${location.origin}/invite#${invitations[0]?.code}`;
    expect(writeText).toHaveBeenCalledExactlyOnceWith(link);
    await expect.element(created.getByRole('textbox')).toHaveValue(link);
    await userEvent.keyboard('{Escape}');
    await expect.element(create).toHaveFocus();
    const item = page.getByRole('listitem').filter({ hasText: 'Choir' });
    await pressWithKeys(item.getByRole('button').first());
    await expect.element(copy).toHaveFocus();
    await expect.element(created.getByRole('textbox')).toHaveValue(link);
  });

  test(`the link of an invitation starts a chat without a request, once (${language})`, async () => {
    const { server, link } = await createInvited(language, { isSingleUse: true });
    const { reload } = await openApp({ server, user: 'Bob', path: '/chatarea/exist', language });
    const search = page.getByLabelText(t('findUser.username'), { exact: true });
    await expect.element(search).toHaveAccessibleDescription(t('findUser.linkHelp'));
    await search.fill(location.origin + link);
    await userEvent.keyboard('{Enter}');
    const title = t('invite.title', { name: 'Alice' });
    await expect.element(heading).toHaveTextContent(title);
    await expect.element(heading).toHaveFocus();
    await expect.poll(() => document.title).toBe(t('app.pageTitle', { page: title }));
    await pressWithKeys(page.getByRole('button', { name: t('invite.start') }));
    await expect.poll(() => location.pathname).toMatch(ROOM_PATH);
    await sendWithEnter('Hello Alice!');
    await expect.element(chatRowOf('Alice')).toMatchTextContent('Hello Alice!');
    const { chatrooms } = await actAs(server, 'Alice').call('listChats');
    expect(chatrooms).toMatchObject([
      { usernames: ['Bob'], unreadMessagesCount: 1, lastMessage: { content: 'Hello Alice!' } },
    ]);
    expect(chatrooms[0]).not.toHaveProperty('isRequest', true);

    await reload(link);
    await expect.element(page.getByRole('alert')).toHaveTextContent(t('invite.invalid'));
    await pressWithKeys(page.getByRole('link', { name: t('invite.toChats') }));
    await expect.element(chatRowOf('Alice')).toBeVisible();
  });

  test(`an invitation that has been used leaves the settings (${language})`, async () => {
    const { server, code } = await createInvited(language, { isSingleUse: true });
    await openApp({ server, user: 'Alice', path: '/settings', language });
    const section = page.getByRole('region', { name: t('settings.invitations') });
    await expect.element(section.getByRole('listitem')).toBeVisible();
    await actAs(server, 'Bob').call('redeemInvitation', { body: { code } });
    await expect.element(section.getByText(t('settings.invitationsEmpty'))).toBeVisible();
    await expect.element(chatRowOf('Bob')).toBeVisible();
  });

  test(`an invitation leads a guest to the registration (${language})`, async () => {
    const { server, code, link } = await createInvited(language, { isSingleUse: false });
    const { reload } = await openApp({ server, path: `/register#invitation=${code}`, language });
    const inviter = page.getByText(t('register.fromInvitation', { name: 'Alice' }));
    await expect.element(inviter).toBeVisible();
    await reload(link);
    await expect.element(page.getByText(t('invite.text'))).toBeVisible();
    await page.getByRole('link', { name: t('invite.register') }).click();
    await expect.element(inviter).toBeVisible();
    expect(location.pathname).toBe('/register');
  });

  test(`an invitation of a server without registration leads through the login (${language})`, async () => {
    const { server, link } = await createInvited(language, { isSingleUse: false });
    server.intercept('previewInvitation', () =>
      Response.json({ username: 'Alice', canRegister: false }),
    );
    const { reload } = await openApp({ server, path: link, language });
    await expect.element(page.getByText(t('invite.textLogin'))).toBeVisible();
    const register = page.getByRole('link', { name: t('invite.register') });
    await expect.element(register).not.toBeInTheDocument();
    await page.getByRole('link', { name: t('invite.login') }).click();
    await page.getByLabelText(t('field.email'), { exact: true }).fill('bob@example.org');
    await page.getByLabelText(t('field.password'), { exact: true }).fill('correct horse');
    await userEvent.keyboard('{Enter}');
    await page.getByRole('button', { name: t('invite.start') }).click();
    await expect.poll(() => location.pathname).toMatch(ROOM_PATH);
    // The return path has been used.
    await reload('/chatarea');
    await expect.element(chatRowOf('Alice')).toBeVisible();
    expect(sessionStorage.getItem('parley.wanted')).toBeNull();
  });
}
