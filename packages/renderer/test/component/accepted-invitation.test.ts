import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import type { MemoryServer } from '@parley/memory-server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, contentsSeenBy, createChatBetween, createServerWith } from './support/act-as.ts';
import { expectNoAxeViolations } from './support/axe-violations.ts';
import { chatRowOf, messageWith, toastWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { pauseToasts } from './support/pause-toasts.ts';

/** Matches the path of a chatroom. */
const ROOM_PATH = /^\/chatarea\/chats\/[0-9a-f-]{36}$/;
const toasts = () => page.getByCss('.Toastify__toast');

/** Creates an invitation of Alice. Returns its code. */
async function inviteAs(server: MemoryServer): Promise<string> {
  const body = { isSingleUse: false };
  return (await actAs(server, 'Alice').call('createInvitation', { body })).code;
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`a friend lands in the room with a greeting and waves back with one tap (${language})`, async () => {
    const server = createServerWith(['Alice', 'Dan'], language);
    const code = await inviteAs(server);
    const path = `/invite#${code}`;
    const viewport = { width: 390, height: 740 };
    const { reload } = await openApp({ server, user: 'Dan', language, viewport });
    await reload(path);
    pauseToasts();
    await page.getByRole('button', { name: t('invite.start') }).click();
    await expect.poll(() => location.pathname).toMatch(ROOM_PATH);
    await expect.element(page.getByText(t('room.greeting', { name: 'Alice' }))).toBeVisible();
    expect(toasts().elements()).toEqual([]);
    await page.getByRole('button', { name: t('room.wave') }).click();
    await expect.element(messageWith('👋')).toBeInTheDocument();
    const room = location.pathname.split('/').at(-1) ?? '';
    await expect.poll(() => contentsSeenBy(server, 'Alice', room)).toEqual(['👋']);
  });

  test(`a friend who registers lands in the room after the login, without a toast (${language})`, async () => {
    const server = createServerWith(['Alice'], language);
    const code = await inviteAs(server);
    const email = 'dan@example.org';
    const password = 'correct horse';
    await actAs(server).call('register', {
      body: { email, username: 'Dan', password, language, invitation: code },
    });
    await openApp({ server, path: '/register/verify', language });
    pauseToasts();
    await page.getByLabelText(t('field.email'), { exact: true }).fill(email);
    await page.getByLabelText(t('verify.key'), { exact: true }).fill(server.keyFor(email));
    await userEvent.keyboard('{Enter}');
    await page.getByLabelText(t('field.password'), { exact: true }).fill(password);
    await userEvent.keyboard('{Enter}');
    await expect.element(toastWith(t('login.success'))).toBeVisible();
    await expect.poll(() => location.pathname).toMatch(ROOM_PATH);
    await expect.element(page.getByText(t('room.greeting', { name: 'Alice' }))).toBeVisible();
    await expect.poll(() => toasts().elements()).toEqual([]);
  });

  test(`the inviter is told who accepted, with a badge until the chat is opened (${language})`, async () => {
    const server = createServerWith(['Alice', 'Dan'], language);
    const code = await inviteAs(server);
    // The page has the focus only after a click.
    vi.spyOn(document, 'hasFocus').mockReturnValue(true);
    await openApp({ server, user: 'Alice', language });
    pauseToasts();
    await expect.element(page.getByText(t('chatList.empty'))).toBeVisible();
    await actAs(server, 'Dan').call('redeemInvitation', { body: { code } });
    const text = t('chatList.invitationAccepted', { name: 'Dan' });
    await expect.element(toastWith(text)).toBeVisible();
    const log = page.getByRole('log', { name: t('room.announced') });
    await expect.element(log).toHaveTextContent(text);
    const row = chatRowOf('Dan');
    const badge = row.getByText(t('chatList.markedUnread'));
    await expect.element(row).toMatchTextContent(t('chatList.acceptedInvitation'));
    await expect.element(badge).toBeInTheDocument();
    // On a phone, too, nothing of it is cut.
    await page.viewport(360, 740);
    const preview = row.getByText(t('chatList.acceptedInvitation')).element();
    expect(preview.scrollHeight).toBeLessThanOrEqual(preview.clientHeight + 1);
    expect(preview.scrollWidth).toBeLessThanOrEqual(preview.clientWidth);
    expect(preview.getBoundingClientRect().bottom).toBeLessThan(
      row.element().getBoundingClientRect().bottom,
    );
    await page.viewport(1280, 800);

    await toastWith(text).click();
    await expect.element(page.getByText(t('room.greeting', { name: 'Dan' }))).toBeVisible();
    await expect.element(badge).not.toBeInTheDocument();
    await expect.element(row).toMatchTextContent(t('chatList.acceptedInvitation'));
    await page.getByRole('button', { name: t('room.wave') }).click();
    await expect.element(row).not.toMatchTextContent(t('chatList.acceptedInvitation'));
  });
}

const t = createTranslator('en');

test('the inviter who is elsewhere gets a notification, which the opened chat removes', async () => {
  const server = createServerWith(['Alice', 'Dan']);
  const code = await inviteAs(server);
  const { host } = await openApp({ server, user: 'Alice' });
  const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  onTestFinished(() => hasFocus.mockRestore());
  const { chatroomId } = await actAs(server, 'Dan').call('redeemInvitation', { body: { code } });
  const text = t('chatList.invitationAccepted', { name: 'Dan' });
  await expect
    .poll(() => host.notifications)
    .toMatchObject([{ title: text, body: '', path: `/chatarea/chats/${chatroomId}` }]);
  expect(host.notifications[0]).not.toHaveProperty('buttons');
  expect(toastWith(text).elements()).toEqual([]);
  await actAs(server, 'Alice').call('markAsRead', { params: { id: chatroomId }, body: {} });
  await expect.poll(() => host.withdrawn).toContain(chatroomId);
});

test('an invitation that the partner of the open chat accepts marks it until the inviter sees it', async () => {
  const server = createServerWith(['Alice', 'Dan']);
  const id = await createChatBetween(server, ['Alice', 'Dan'], 'hello', { isUndecided: true });
  const code = await inviteAs(server);
  const { host } = await openApp({ server, user: 'Alice', path: `/chatarea/chats/${id}` });
  await expect.element(messageWith('hello')).toBeVisible();
  await expect.element(chatRowOf('Dan')).toBeVisible();
  const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  onTestFinished(() => hasFocus.mockRestore());
  window.dispatchEvent(new Event('blur'));
  await actAs(server, 'Dan').call('redeemInvitation', { body: { code } });
  await expect.poll(() => host.notifications).toHaveLength(1);
  const mark = chatRowOf('Dan').getByText(t('chatList.markedUnread'));
  await expect.element(mark).toBeInTheDocument();
  hasFocus.mockReturnValue(true);
  window.dispatchEvent(new Event('focus'));
  await expect.element(mark).not.toBeInTheDocument();
  await expect.poll(() => host.withdrawn).toContain(id);
});

test('the inviter who was offline is told after the reconnect', async () => {
  const server = createServerWith(['Alice', 'Dan']);
  const code = await inviteAs(server);
  const { browser } = await openApp({ server, user: 'Alice' });
  pauseToasts();
  await expect.element(page.getByText(t('chatList.empty'))).toBeVisible();
  browser.setOnline(false);
  await expect.element(page.getByText(t('connection.offline'))).toBeVisible();
  await actAs(server, 'Dan').call('redeemInvitation', { body: { code } });
  browser.setOnline(true);
  const text = t('chatList.invitationAccepted', { name: 'Dan' });
  await expect.element(toastWith(text)).toBeVisible();
});

test('axe finds no violations in the room and the list after an invitation, light or dark', async () => {
  const server = createServerWith(['Alice', 'Dan']);
  const code = await inviteAs(server);
  const { chatroomId } = await actAs(server, 'Dan').call('redeemInvitation', { body: { code } });
  await openApp({ server, user: 'Alice', reducedMotion: true });
  await expect.element(chatRowOf('Dan').getByText(t('chatList.markedUnread'))).toBeInTheDocument();
  await expectNoAxeViolations('the list');
  await chatRowOf('Dan').click();
  await expect.poll(() => location.pathname).toBe(`/chatarea/chats/${chatroomId}`);
  await expect.element(page.getByText(t('room.greeting', { name: 'Dan' }))).toBeVisible();
  await expectNoAxeViolations('the room');
});
